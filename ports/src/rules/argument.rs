//! Arguments that more than one area checks alike.

use assay_model::{PortError, RealArg};

/// A number that is no key of any rules file, so text makes no sense for it.
///
/// # Errors
/// `EINVAL` at `field`.
pub fn held(arg: &RealArg, field: &str) -> Result<f64, PortError> {
    match arg {
        RealArg::Held(value) if value.is_finite() => Ok(*value),
        RealArg::Held(_) => Err(PortError::invalid(field, "must be a finite number")),
        RealArg::Text(_) => {
            Err(PortError::invalid(field, "no rules key holds this: give a number or bits, not rules text"))
        }
    }
}

/// Refuses an integer outside the range that the schema states.
///
/// # Errors
/// `EINVAL` at `field`.
pub fn within(value: i32, field: &str, low: i32, high: i32) -> Result<(), PortError> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(PortError::invalid(field, format!("must be from {low} to {high}")))
    }
}
