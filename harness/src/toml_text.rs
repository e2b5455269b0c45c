//! Values as TOML text, for cases that are printed ready to paste.

use assay_model::Tree;

/// A value on one line. A `null` in a map is left out, since TOML has none; non-finite floats are tagged bits.
#[must_use]
pub fn value(tree: &Tree) -> String {
    match tree {
        Tree::Map(entries) => {
            let there = entries.iter().filter(|(_, value)| *value != Tree::Null);
            let entries: Vec<_> =
                there.map(|(name, entry)| format!("{} = {}", key(name), value(entry))).collect();
            if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) }
        }
        Tree::List(items) => format!("[{}]", items.iter().map(value).collect::<Vec<_>>().join(", ")),
        Tree::Text(text) => toml_edit::Value::from(text.as_str()).to_string(),
        Tree::UInt(word) => format!("\"u64:{word:#018x}\""),
        // Numbers, booleans and tagged floats are written as in JSON; TOML wants a digit around the point as JSON does.
        scalar => scalar.to_string(),
    }
}

/// A key, quoted if it must be.
#[must_use]
pub fn key(name: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !name.is_empty() && name.bytes().all(bare) {
        name.to_owned()
    } else {
        toml_edit::Value::from(name).to_string()
    }
}

/// A text of several lines as a literal block, where the text allows it.
#[must_use]
pub fn text_block(text: &str) -> String {
    if text.contains('\n') && !text.contains("'''") {
        format!("'''\n{}'''", text.strip_prefix('\n').unwrap_or(text))
    } else {
        value(&Tree::Text(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_the_same() {
        let json = r#"{"a":[1,-0.0,1e+300,0.1,"f64:0x7ff0000000000000"],"b c":{"d":"x\n\"y\" 'z'","e":true},"f":{},"g":[]}"#;
        let tree = Tree::from_json(json.as_bytes()).unwrap();
        let text = format!("v = {}\n", value(&tree));
        let back: Tree = toml::from_str(&text).unwrap();
        let same = crate::compare::compare(&tree, back.get("v").unwrap(), crate::compare::EXACT);
        assert!(same.is_ok(), "{same:?} {text}");
    }

    #[test]
    fn blocks_keep_their_lines() {
        for text in ["a = 1\nb = 2\n", "one line", "with '''quotes'''\nb"] {
            let back: Tree = toml::from_str(&format!("v = {}\n", text_block(text))).unwrap();
            assert_eq!(back.get("v").unwrap().as_str(), Some(text));
        }
    }
}
