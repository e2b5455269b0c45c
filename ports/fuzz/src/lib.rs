//! What a fuzzer needs of a decoder: its arguments from its own schema, so that a decoder that is registered is one that
//! can be fuzzed.
//!
//! An input of the fuzzer is one byte for every argument that takes no bytes (0 leaves it as the example has it), two
//! bytes of length for each argument of bytes but the last, and then the bytes themselves.

use assay_model::bytes::with_host;
use assay_model::{Bytes, Host, Output, Place, Port, PortError, ReadAt, Source};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes that the attachments of one run may have: twice the largest output cap, since one decoder attaches two planes.
const MOST: usize = 128 << 20;

/// A decoder, and what can be put in.
pub struct Decoder {
    port: &'static dyn Port,
    example: Map<String, Value>,
    /// Arguments that take bytes, in order of name.
    bytes: Vec<String>,
    /// Those of them that cannot be left out.
    required: Vec<String>,
    /// The others with what is tried for them.
    others: Vec<(String, Vec<Value>)>,
}

impl Decoder {
    /// Every registered port that takes bytes.
    pub fn all() -> Vec<Self> {
        assay_ports::ALL.iter().filter_map(|port| Self::of(*port)).collect()
    }

    fn of(port: &'static dyn Port) -> Option<Self> {
        let schema = port.input_schema();
        let properties = schema.get("properties")?.as_object()?;
        let takes_bytes = |schema: &Value| schema.pointer("/properties/upload").is_some();
        let (bytes, others): (Vec<_>, Vec<_>) =
            properties.iter().partition(|(_, schema)| takes_bytes(schema));
        let example = serde_json::from_str(port.meta().example).ok()?;
        let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let decoder = Self {
            required: required.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            port,
            example,
            bytes: bytes.into_iter().map(|(name, _)| name.clone()).collect(),
            others: others.into_iter().map(|(name, schema)| (name.clone(), values(schema))).collect(),
        };
        (!decoder.bytes.is_empty()).then_some(decoder)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.port.meta().name
    }

    /// The golden suite, from the root of the repository.
    pub fn suite(&self) -> String {
        format!("golden/{}/{}/cases.toml", self.port.meta().area, self.name())
    }

    /// Runs the port on an input of the fuzzer.
    ///
    /// # Panics
    /// If the port does, or gives more than it may.
    pub fn run(&self, data: &[u8]) {
        let Some((chosen, mut rest)) = data.split_at_checked(self.others.len()) else { return };
        let mut arguments = self.example.clone();
        for ((name, values), chosen) in self.others.iter().zip(chosen) {
            if let Some(value) = usize::from(*chosen).checked_sub(1).and_then(|at| values.get(at)) {
                arguments.insert(name.clone(), value.clone());
            }
        }
        let mut sources = BTreeMap::new();
        for (index, name) in self.bytes.iter().enumerate() {
            let mut taken = rest;
            if index + 1 < self.bytes.len() {
                let Some((length, after)) = rest.split_first_chunk::<2>() else { return };
                (taken, rest) = after.split_at(usize::from(u16::from_le_bytes(*length)).min(after.len()));
            }
            // Nothing stands for an argument that may be left out.
            if taken.is_empty() && !self.required.contains(name) {
                arguments.remove(name);
                continue;
            }
            sources.insert(name.clone(), Arc::from(taken));
            arguments.insert(name.clone(), Value::from(format!("host:{name}")));
        }
        let input = Value::Object(arguments).to_string();
        let mut output = Output::default();
        let ran =
            with_host(Some(Arc::new(Sources(sources))), || self.port.run(input.as_bytes(), &mut output));
        let given: usize = output.attachments.iter().map(|attachment| attachment.bytes.len()).sum();
        assert!(given <= MOST, "{given} bytes come out");
        if ran.is_ok() {
            assert!(serde_json::from_slice::<Value>(&output.json).is_ok(), "a breakdown is JSON");
        }
    }

    /// The input of the fuzzer for the arguments of a golden case; `None` for one without bytes that can be read.
    pub fn seed(&self, input: &Map<String, Value>) -> Option<Vec<u8>> {
        let mut seed = Vec::new();
        for (name, values) in &self.others {
            // What cannot be chosen stays as the example has it: the bytes are what matters.
            let place = values.iter().position(|value| Some(value) == input.get(name));
            seed.push(place.and_then(|place| u8::try_from(place + 1).ok()).unwrap_or(0));
        }
        for (index, name) in self.bytes.iter().enumerate() {
            let text = input.get(name).cloned().unwrap_or_else(|| Value::from("hex:"));
            // INI text may stand for itself.
            let plain = || text.as_str().map(|text| Bytes::Inline(text.as_bytes().into()));
            let bytes = serde_json::from_value(text.clone()).ok().or_else(plain)?;
            let bytes = bytes.range(0, usize::try_from(bytes.length()).ok()?).ok()?;
            if index + 1 < self.bytes.len() {
                seed.extend_from_slice(&u16::try_from(bytes.len()).ok()?.to_le_bytes());
            }
            seed.extend_from_slice(&bytes);
        }
        Some(seed)
    }
}

/// What is tried for an argument of this schema: every word of a list, both truth values, the bounds of a number and
/// numbers that files are made of.
fn values(schema: &Value) -> Vec<Value> {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return words.clone();
    }
    let typed = |name: &str| match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(any)) => any.iter().any(|one| one == name),
        _ => false,
    };
    if typed("boolean") {
        return vec![Value::from(false), Value::from(true)];
    }
    if !typed("integer") {
        return Vec::new();
    }
    let bound = |name: &str, otherwise: i64| schema.get(name).and_then(Value::as_i64).unwrap_or(otherwise);
    let (least, most) = (bound("minimum", i64::from(i32::MIN)), bound("maximum", i64::from(i32::MAX)));
    let usual = (0..24)
        .chain([32, 48, 60, 63, 64, 127, 128, 255, 256, 511, 512, 1024, 4096, 32767, 32768, 65535, 65536]);
    let mut numbers: Vec<i64> = usual.filter(|number| (least..=most).contains(number)).collect();
    numbers.extend([least, most]);
    numbers.into_iter().map(Value::from).collect()
}

/// The bytes behind `host:` names.
struct Sources(BTreeMap<String, Arc<[u8]>>);

struct Held(Arc<[u8]>);

impl Host for Sources {
    fn open(&self, source: &Source) -> Result<Arc<dyn ReadAt>, PortError> {
        let bytes = match &source.place {
            Place::Path(name) if source.entries.is_empty() => self.0.get(name),
            _ => None,
        };
        let bytes = bytes.ok_or_else(|| PortError::invalid("", "no such source"))?;
        Ok(Arc::new(Held(Arc::clone(bytes))))
    }
}

impl ReadAt for Held {
    fn length(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, PortError> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(self.0.len());
        let length = buffer.len().min(self.0.len() - from);
        buffer[..length].copy_from_slice(&self.0[from..from + length]);
        Ok(length)
    }
}
