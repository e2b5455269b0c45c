//! Edits of the lists that a new port has to stand in: modules and the registry, both sorted.

/// Puts `pub mod name;` among the modules of a file, in order; a file without any gets it at the end.
pub fn module(text: &str, name: &str) -> String {
    let line = format!("pub mod {name};");
    let declared =
        |line: &str| line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')).map(str::to_owned);
    let lines: Vec<&str> = text.lines().collect();
    let modules: Vec<(usize, String)> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, declared(line)?))).collect();
    if modules.iter().any(|(_, known)| known == name) {
        return text.to_owned();
    }
    let before = modules.iter().rev().find(|(_, known)| known.as_str() < name);
    match (before, modules.first()) {
        (Some((at, _)), _) => insert(&lines, at + 1, &line),
        // Above the first there may be attributes and documentation of it.
        (None, Some((at, _))) => {
            let own = |line: &&str| line.starts_with("///") || line.starts_with("#[");
            let above = lines[..*at].iter().rev().take_while(|line| own(line)).count();
            insert(&lines, at - above, &line)
        }
        (None, None) => format!("{}\n\n{line}\n", text.trim_end()),
    }
}

/// Puts `&area::name::PORT` into the list `ALL`, by area and name.
///
/// # Errors
/// There is no such list, or it holds something else than ports.
pub fn port(text: &str, area: &str, name: &str) -> Result<String, String> {
    const LIST: &str = "pub static ALL: &[&dyn Port] = &[";
    let lines: Vec<&str> = text.lines().collect();
    let head =
        lines.iter().position(|line| *line == LIST).ok_or_else(|| format!("there is no line `{LIST}`"))?;
    let length = lines[head..].iter().position(|line| *line == "];").ok_or("the list `ALL` has no end")?;
    let mut at = head + 1;
    for line in &lines[head + 1..head + length] {
        let entry = line.trim().strip_prefix('&').and_then(|rest| rest.strip_suffix("::PORT,"));
        let known = entry.and_then(|entry| entry.split_once("::"));
        let known = known.ok_or_else(|| format!("`{}` in the list `ALL` is no port", line.trim()))?;
        if known == (area, name) {
            return Err(format!("`{name}` stands in the list `ALL` already"));
        }
        if known < (area, name) {
            at += 1;
        }
    }
    Ok(insert(&lines, at, &format!("    &{area}::{name}::PORT,")))
}

fn insert(lines: &[&str], at: usize, line: &str) -> String {
    let (before, after) = lines.split_at(at);
    before.iter().chain([&line]).chain(after).map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_stay_sorted_with_what_belongs_to_them() {
        let text = "//! Area.\n\nuse x;\n\n/// B.\npub mod b;\npub mod d;\n\nfn f() {}\n";
        assert_eq!(module(text, "c"), text.replace("pub mod d;", "pub mod c;\npub mod d;"));
        assert_eq!(module(text, "e"), text.replace("pub mod d;", "pub mod d;\npub mod e;"));
        assert_eq!(module(text, "a"), text.replace("/// B.", "pub mod a;\n/// B."));
        assert_eq!(module(text, "b"), text);
        assert_eq!(module("//! Area.\n", "a"), "//! Area.\n\npub mod a;\n");
    }

    #[test]
    fn the_list_of_ports_stays_sorted_by_area_and_name() {
        let text = "pub static ALL: &[&dyn Port] = &[\n    &b::b_x::PORT,\n    &b::d::PORT,\n];\n";
        let with = |area, name| port(text, area, name).unwrap();
        assert_eq!(with("b", "c"), text.replace("    &b::d", "    &b::c::PORT,\n    &b::d"));
        assert_eq!(with("a", "z"), text.replace("    &b::b_x", "    &a::z::PORT,\n    &b::b_x"));
        assert_eq!(with("c", "a"), text.replace("];", "    &c::a::PORT,\n];"));
        assert!(port(text, "b", "d").unwrap_err().contains("already"));
        assert!(port("", "b", "d").unwrap_err().contains("no line"));
        assert!(port(&text.replace("&b::d::PORT", "x"), "b", "d").unwrap_err().contains("is no port"));
        let empty = "pub static ALL: &[&dyn Port] = &[\n];\n";
        assert_eq!(port(empty, "a", "b").unwrap(), empty.replace("];", "    &a::b::PORT,\n];"));
    }
}
