//! Places inside lists and records, and changing what is there.

use super::value::{List, Value};
use std::sync::Arc;

/// A step into a list or record.
pub enum Key<'a> {
    Index(usize),
    Field(&'a str),
}

/// What is done at the end of a path.
pub enum Change {
    Replace(Value),
    Push(Value),
}

/// The message for an index that a list does not have.
pub fn beyond(index: usize, list: &List) -> String {
    format!("index {index} is beyond the list of {}", list.items().len())
}

/// Changes a place inside a value. `copied` counts what had to be copied because something else shares it.
pub fn put(value: Value, keys: &[Key], change: Change, copied: &mut u64) -> Result<Value, String> {
    match (value, keys) {
        (value, []) => match (value, change) {
            (_, Change::Replace(value)) => Ok(value),
            (Value::List(mut list), Change::Push(value)) => {
                unshared(&list, list.items().len(), copied);
                Arc::make_mut(&mut list).push(value)?;
                Ok(Value::List(list))
            }
            (other, Change::Push(_)) => Err(format!("push needs a list, not {}", other.sort())),
        },
        (Value::List(mut list), [Key::Index(index), rest @ ..]) => {
            if *index >= list.items().len() {
                return Err(beyond(*index, &list));
            }
            unshared(&list, list.items().len(), copied);
            let own = Arc::make_mut(&mut list);
            let changed = put(own.take(*index), rest, change, copied)?;
            own.replace(*index, changed)?;
            Ok(Value::List(list))
        }
        (Value::Record(mut record), [Key::Field(name), rest @ ..]) => {
            let index = record.position(name)?;
            unshared(&record, record.fields().len(), copied);
            let own = Arc::make_mut(&mut record);
            let changed = put(own.take(index), rest, change, copied)?;
            own.replace(index, changed)?;
            Ok(Value::Record(record))
        }
        (other, [Key::Index(_), ..]) => Err(format!("only lists have an index, not {}", other.sort())),
        (other, [Key::Field(name), ..]) => {
            Err(format!("only a record has a field `{name}`, and this is {}", other.sort()))
        }
    }
}

fn unshared<T>(shared: &Arc<T>, length: usize, copied: &mut u64) {
    if Arc::strong_count(shared) > 1 {
        *copied += length as u64;
    }
}
