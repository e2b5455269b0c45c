//! `seeds ROOT DIR`: the inputs of the golden cases below ROOT, and the files that `assay-fixtures` makes, as files of
//! DIR/<decoder>; and the decoders by name on standard output. Both are made anew every time; there is no corpus to
//! keep.

use assay_fuzz::Decoder;
use assay_ports::assets::hex;
use serde_json::{Map, Value};
use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// What `.ci/fuzz` has the fuzzer read of one input.
const LONGEST: usize = 16_384;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [root, folder] = &arguments[..] else { return Err("two arguments: ROOT DIR".into()) };
    let made: Vec<Map<String, Value>> = assay_fixtures::all()?
        .iter()
        .filter(|(_, bytes)| bytes.len() <= LONGEST)
        .map(|(_, bytes)| Map::from_iter([("bytes".to_owned(), format!("hex:{}", hex(bytes)).into())]))
        .collect();
    for decoder in Decoder::all() {
        let place = Path::new(folder).join(decoder.name());
        fs::create_dir_all(&place)?;
        let text = fs::read_to_string(Path::new(root).join(decoder.suite()))?;
        let suite: Value = serde_json::to_value(toml::from_str::<toml::Table>(&text)?)?;
        let cases = suite.get("case").and_then(Value::as_array).cloned().unwrap_or_default();
        let inputs = cases.iter().filter_map(|case| case.get("input")?.as_object().cloned());
        let mut written = 0;
        for seed in inputs.filter_map(|input: Map<String, Value>| decoder.seed(&input)) {
            fs::write(place.join(format!("golden-{written}")), seed)?;
            written += 1;
        }
        if written == 0 {
            return Err(format!("{}: no golden case makes a seed", decoder.suite()).into());
        }
        for (number, seed) in made.iter().filter_map(|input| decoder.seed(input)).enumerate() {
            fs::write(place.join(format!("made-{number}")), seed)?;
        }
        println!("{}", decoder.name());
    }
    Ok(())
}
