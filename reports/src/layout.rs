//! Aligned columns and folded text.

/// Lines with aligned columns, a row each. The last column is not padded.
#[must_use]
pub fn align(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            if column > 0 {
                line.push_str("  ");
            }
            line.push_str(cell);
            if column + 1 < row.len() {
                line.extend(std::iter::repeat_n(' ', widths[column] - cell.chars().count()));
            }
        }
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Text folded at spaces to `width` columns, every line but the first indented.
#[must_use]
pub fn fold(text: &str, indent: usize, width: usize) -> String {
    let mut folded = String::new();
    let mut column = indent;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > width {
            folded.push('\n');
            folded.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if column > indent {
            folded.push(' ');
            column += 1;
        }
        folded.push_str(word);
        column += length;
    }
    folded
}
