//! `seeds ROOT DIR`: the inputs of the golden cases below ROOT as files of DIR/<decoder>, and the decoders by name on
//! standard output. The made files of the golden suites are the corpus; there is no second one to keep.

use assay_fuzz::Decoder;
use serde_json::{Map, Value};
use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [root, folder] = &arguments[..] else { return Err("two arguments: ROOT DIR".into()) };
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
        println!("{}", decoder.name());
    }
    Ok(())
}
