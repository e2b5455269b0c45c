//! Pages of a list in a total order. A cursor names the last item that was shown, so it survives a new snapshot.

use crate::cursor;

/// Items in a page, unless told otherwise.
pub const PAGE: usize = 50;
/// Items in a page at most.
pub const PAGE_MAX: usize = 1000;

/// One page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// What is on it.
    pub items: Vec<T>,
    /// Where the next one begins; `None` on the last page.
    pub next_cursor: Option<String>,
}

/// The page of at most `limit` items after a cursor. `key` orders the items; no two have the same, and `items` comes in
/// that order.
///
/// # Errors
/// A message for people when the cursor is none, or one of another list.
pub fn page<T>(
    list: &str,
    items: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> String,
    cursor: Option<&str>,
    limit: usize,
) -> Result<Page<T>, &'static str> {
    let after = cursor.map(|cursor| cursor::read(list, cursor)).transpose()?;
    let rest = items.into_iter().filter(|item| after.as_ref().is_none_or(|after| key(item) > *after));
    let mut items: Vec<T> = rest.take(limit.saturating_add(1)).collect();
    let more = items.len() > limit;
    items.truncate(limit);
    let next_cursor = items.last().filter(|_| more).map(|last| cursor::write(list, &key(last)));
    Ok(Page { items, next_cursor })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_join_to_the_list_also_when_it_changes_between_them() {
        let list = |end: u32| (0..end).map(|n| format!("{n:03}"));
        let (mut seen, mut cursor) = (Vec::new(), None);
        for end in [7, 7, 5, 12, 12, 12] {
            let page = page("numbers", list(end), Clone::clone, cursor.as_deref(), 3).unwrap();
            seen.extend(page.items);
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        // Shrinking to five items ended the list at the second page's end.
        assert_eq!(seen, list(6).collect::<Vec<_>>());
        let first = page("numbers", list(9), Clone::clone, None, 4).unwrap();
        let cursor = first.next_cursor.unwrap();
        let last = page("numbers", list(20), Clone::clone, Some(&cursor), 100).unwrap();
        assert_eq!((last.items.len(), last.next_cursor), (16, None));
        assert!(page("letters", list(9), Clone::clone, Some(&cursor), 4).unwrap_err().contains("another"));
        assert!(page("numbers", list(9), Clone::clone, Some(""), 4).is_err());
    }
}
