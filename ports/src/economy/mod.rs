//! Engine systems of the area `economy`: ore into credits, credits into spending, credits on the sidebar.

use crate::rules::argument::{held, within};
use assay_model::{Game, PortError, RealArg};

pub mod compute_ore_deposit;
pub mod compute_refinery_pile;
pub mod compute_spend_money;
pub mod simulate_credits_counter;

/// The game of an input that names none.
const fn yr() -> Game {
    Game::Yr
}

/// An argument that only some games have.
struct Owned {
    field: &'static str,
    given: bool,
    games: &'static [Game],
}

/// Whether the argument `field` was given, and which games have it.
const fn owned<T>(field: &'static str, argument: Option<&T>, games: &'static [Game]) -> Owned {
    Owned { field, given: argument.is_some(), games }
}

/// Refuses an argument that the chosen game does not have: ignoring it would answer another question than was asked.
fn refuse_foreign(game: Game, arguments: &[Owned]) -> Result<(), PortError> {
    match arguments.iter().find(|argument| argument.given && !argument.games.contains(&game)) {
        Some(Owned { field, games, .. }) => {
            let games: Vec<_> = games.iter().map(|game| game.as_str()).collect();
            Err(PortError::invalid(*field, format!("{game} has no such input, only {}", games.join(" and "))))
        }
        None => Ok(()),
    }
}

/// A whole number from `0` to `i32::MAX`, for the games that count ore in integers.
fn whole(arg: &RealArg, field: &str, game: Game) -> Result<i32, PortError> {
    let value = held(arg, field)?;
    if value.trunc() != value {
        return Err(PortError::invalid(field, format!("{game} counts whole units")));
    }
    if !(0.0..=f64::from(i32::MAX)).contains(&value) {
        return Err(PortError::invalid(field, "must be from 0 to 2147483647"));
    }
    Ok(value as i32)
}

/// The binary32 nearest to a number that is not negative.
fn single(arg: &RealArg, field: &str) -> Result<f32, PortError> {
    let value = held(arg, field)? as f32;
    if value.is_infinite() {
        return Err(PortError::invalid(field, "is beyond the binary32 range"));
    }
    if value < 0.0 {
        return Err(PortError::invalid(field, "must not be negative"));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_arguments_are_named() {
        let arguments = [owned("capacity", Some(&1), &[Game::Ts, Game::Ra1])];
        let error = refuse_foreign(Game::Yr, &arguments).unwrap_err();
        assert_eq!(error.field, "capacity");
        assert!(error.message.ends_with("YR has no such input, only TS and RA1"), "{error}");
        assert!(refuse_foreign(Game::Ts, &arguments).is_ok());
        assert!(refuse_foreign(Game::Yr, &[owned::<i32>("capacity", None, &[Game::Ts])]).is_ok());
    }

    #[test]
    fn whole_units_and_singles_are_checked() {
        let read = |value| whole(&RealArg::Held(value), "amount", Game::Ts);
        assert_eq!(read(2_147_483_647.0), Ok(i32::MAX));
        for wrong in [2_147_483_648.0, -1.0, 0.5, f64::NAN, f64::INFINITY] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(held(&RealArg::Text("10".into()), "amount").is_err());
        assert_eq!(single(&RealArg::Held(0.1), "amount"), Ok(0.1_f32));
        assert!(single(&RealArg::Held(1e39), "amount").is_err());
        assert!(single(&RealArg::Held(-0.5), "amount").is_err());
    }
}
