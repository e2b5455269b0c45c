//! Properties of the economy ports over random inputs: total, deterministic, money is conserved, counters arrive.

use assay_model::{Game, Output, Port, RealArg};
use assay_ports::economy::compute_ore_deposit::{self, OreDepositInput, compute_ore_deposit};
use assay_ports::economy::compute_spend_money::{
    self, BuildingStorage, SpendMoneyInput, compute_spend_money,
};
use assay_ports::economy::simulate_credits_counter::{self, CreditsCounterInput, simulate_credits_counter};
use proptest::prelude::*;

fn game() -> impl Strategy<Value = Game> {
    prop::sample::select(Game::ALL)
}

fn real() -> impl Strategy<Value = RealArg> {
    prop_oneof![
        prop::num::f64::ANY.prop_map(RealArg::Held),
        (0_i32..3000).prop_map(|quarters| RealArg::Held(f64::from(quarters) / 4.0)),
        "[-+]?[0-9]{0,3}\\.?[0-9]{0,3}%?".prop_map(RealArg::Text),
    ]
}

fn integer() -> impl Strategy<Value = i32> {
    prop_oneof![any::<i32>(), -2000..2000_i32, Just(i32::MIN), Just(i32::MAX)]
}

/// A range of whole numbers, but `None` half of the time.
fn maybe<T: Clone + std::fmt::Debug>(strategy: impl Strategy<Value = T>) -> impl Strategy<Value = Option<T>> {
    prop::option::of(strategy)
}

prop_compose! {
    fn deposit()(
        game in game(), amount in real(), value in integer(),
        credits in maybe(integer()), income_mult in maybe(real()), purifiers in maybe(integer()),
        virtual_purifiers in maybe(integer()), purifier_bonus in maybe(real()), score in maybe(integer()),
    )(
        computer in maybe(any::<bool>()), campaign in maybe(any::<bool>()), capacity in maybe(integer()),
        stored in maybe(integer()), harvested in maybe(integer()),
        (game, amount, value, credits, income_mult, purifiers, virtual_purifiers, purifier_bonus, score) in
            Just((game, amount, value, credits, income_mult, purifiers, virtual_purifiers, purifier_bonus, score)),
        // Half of the inputs keep to their game, so that not every one is refused.
        mixed in any::<bool>(),
    ) -> OreDepositInput {
        let yr = mixed || game == Game::Yr;
        let ts = mixed || game == Game::Ts;
        let ra1 = mixed || game == Game::Ra1;
        OreDepositInput {
            game,
            amount,
            value,
            credits: credits.filter(|_| ts || yr),
            income_mult: income_mult.filter(|_| yr),
            purifiers: purifiers.filter(|_| yr),
            virtual_purifiers: virtual_purifiers.filter(|_| yr),
            purifier_bonus: purifier_bonus.filter(|_| yr),
            score: score.filter(|_| ts || yr),
            computer: computer.filter(|_| ts),
            campaign: campaign.filter(|_| ts),
            capacity: capacity.filter(|_| ts || ra1),
            stored: stored.filter(|_| ts || ra1),
            harvested: harvested.filter(|_| ra1),
        }
    }
}

prop_compose! {
    /// A purchase of a TS or YR house whose arguments are all in range.
    fn purchase()(
        game in prop::sample::select(&[Game::Ts, Game::Yr]),
        amount in prop_oneof![0..600_i32, 0..1_000_000_000_i32],
        cash in prop_oneof![-300..900_i32, -1_000_000_000..1_000_000_000_i32],
        quarters in prop::collection::vec(prop::collection::vec(0..80_u16, 0..=4), 0..6),
        values in prop::collection::vec(0..200_i32, 4),
        income in 0..8_u8,
    ) -> SpendMoneyInput {
        // Quarters of a bale in YR, whole bales in TS.
        let unit = if game == Game::Yr { 4.0 } else { 1.0 };
        let storage = quarters
            .iter()
            .map(|slots| BuildingStorage {
                units: slots.iter().map(|bales| RealArg::Held(f64::from(*bales) / unit)).collect(),
            })
            .collect();
        SpendMoneyInput {
            game,
            amount,
            cash,
            storage: Some(storage),
            values: Some(values),
            income_mult: (game == Game::Yr).then(|| RealArg::Held(f64::from(income) / 4.0)),
            stored: None,
        }
    }
}

proptest! {
    #[test]
    fn a_deposit_is_total_and_deterministic(input in deposit()) {
        prop_assert_eq!(compute_ore_deposit(&input), compute_ore_deposit(&input));
    }

    #[test]
    fn a_stored_load_is_kept_or_lost(amount in 0..5000_u16, capacity in 0..9000_i32, stored in 0..9000_i32) {
        let input = OreDepositInput {
            game: Game::Ts, amount: RealArg::Held(f64::from(amount)), value: 25, credits: None, income_mult: None,
            purifiers: None, virtual_purifiers: None, purifier_bonus: None, score: None, computer: None,
            campaign: None, capacity: Some(capacity), stored: Some(stored), harvested: None,
        };
        let deposit = compute_ore_deposit(&input).unwrap();
        let (kept, lost) = (deposit.kept.unwrap(), deposit.lost.unwrap());
        prop_assert_eq!(kept + lost, i32::from(amount));
        prop_assert!(kept >= 0 && lost >= 0);
        prop_assert!(deposit.stored.unwrap() <= capacity.max(stored));
        prop_assert_eq!(deposit.score, Some(5 * i32::from(amount)));
    }

    #[test]
    fn a_purchase_conserves_money(input in purchase()) {
        let paid = compute_spend_money(&input).unwrap();
        prop_assert_eq!(&compute_spend_money(&input).unwrap(), &paid);
        let change = i64::from(paid.change.unwrap());
        let spent = i64::from(paid.from_cash) + paid.ore_credits - change;
        prop_assert_eq!(spent + i64::from(paid.uncovered), i64::from(input.amount));
        prop_assert_eq!(spent, i64::from(paid.spent));
        prop_assert_eq!(
            i64::from(input.cash) + paid.ore_credits - spent,
            i64::from(paid.cash_after)
        );
        prop_assert_eq!(paid.uncovered > 0, !paid.caveats.is_empty());
        // Ore is sold only when the cash does not do, and change is less than the dearest bale.
        prop_assert!(paid.taken.unwrap().is_empty() || input.amount > input.cash);
        prop_assert!((0..400).contains(&change));
    }

    #[test]
    fn red_alert_conserves_money(
        amount in 0..=i32::MAX, cash in -1_000_000_000..1_000_000_000_i32, stored in 0..=1_000_000_000_i32,
    ) {
        let input = SpendMoneyInput {
            game: Game::Ra1, amount, cash, storage: None, values: None, income_mult: None, stored: Some(stored),
        };
        let paid = compute_spend_money(&input).unwrap();
        prop_assert_eq!(i64::from(paid.from_cash) + paid.ore_credits, i64::from(amount));
        prop_assert_eq!(i64::from(stored) - paid.ore_credits, i64::from(paid.stored_after.unwrap()));
        prop_assert_eq!(cash.wrapping_sub(paid.from_cash), paid.cash_after);
        prop_assert!(paid.from_cash == 0 || paid.stored_after == Some(0));
    }

    #[test]
    fn a_purchase_is_total(
        game in game(), amount in integer(), cash in integer(), stored in maybe(integer()),
        storage in maybe(prop::collection::vec(prop::collection::vec(real(), 0..6), 0..4)),
        values in maybe(prop::collection::vec(integer(), 0..6)), income_mult in maybe(real()),
    ) {
        let storage = storage.map(|buildings| {
            buildings.into_iter().map(|units| BuildingStorage { units }).collect::<Vec<_>>()
        });
        let input = SpendMoneyInput { game, amount, cash, storage, values, income_mult, stored };
        prop_assert_eq!(compute_spend_money(&input), compute_spend_money(&input));
    }

    #[test]
    fn a_counter_never_overshoots(
        game in prop::sample::select(&[Game::Ra1, Game::Ts, Game::Yr]), shown in integer(), money in integer(),
        frames in maybe(1..=4096_u16), wait in 1..=5_u16,
    ) {
        let run = simulate_credits_counter(&CreditsCounterInput { game, shown, money, frames, wait }).unwrap();
        let target = run.target;
        prop_assert_eq!(target, money.max(0));
        let (low, high) = (shown.min(target), shown.max(target));
        let mut last = i64::from(shown);
        for step in &run.steps {
            prop_assert!((low..=high).contains(step));
            let moved = (i64::from(*step) - last).abs();
            prop_assert!((1..=143).contains(&moved));
            prop_assert!((i64::from(target) - i64::from(*step)).abs() < (i64::from(target) - last).abs());
            last = i64::from(*step);
        }
        prop_assert_eq!(run.settled_frame.is_some(), last == i64::from(target));
        prop_assert_eq!(run.step_count as usize, run.steps.len());
        if let Some(frames) = frames {
            prop_assert_eq!(run.shown_by_frame.len(), usize::from(frames));
        }
    }

    #[test]
    fn a_counter_always_settles_and_can_be_continued(
        game in prop::sample::select(&[Game::Ra1, Game::Ts, Game::Yr]),
        shown in 0..150_000_i32, money in -10..150_000_i32, first in 1..200_u16,
    ) {
        let run = |shown, frames, wait| {
            simulate_credits_counter(&CreditsCounterInput { game, shown, money, frames, wait }).unwrap()
        };
        let whole = run(shown, None, 1);
        let settled = whole.settled_frame;
        prop_assert!(settled.is_some());
        // Stopping and going on with the wait that is left gives the same frames.
        let start = run(shown, Some(first), 1);
        let rest = run(*start.shown_by_frame.last().unwrap(), None, start.wait_after);
        if rest.settled_frame != Some(0) {
            let mut frames = start.shown_by_frame;
            frames.extend(rest.shown_by_frame);
            prop_assert_eq!(frames, whole.shown_by_frame);
        }
    }
}

#[test]
fn examples_run() {
    let ports: [&dyn Port; 3] =
        [&compute_ore_deposit::PORT, &compute_spend_money::PORT, &simulate_credits_counter::PORT];
    for port in ports {
        let mut output = Output::default();
        port.run(port.meta().example.as_bytes(), &mut output).unwrap();
        assert!(output.json.len() > 2, "{}", port.meta().name);
        assert!(port.meta().summary.len() <= 160);
    }
}

/// The largest storage that the schema allows is emptied in reasonable time.
#[test]
fn a_full_storage_is_sold() {
    let full = BuildingStorage { units: vec![RealArg::Held(10_000.0); 4] };
    let input = SpendMoneyInput {
        game: Game::Yr,
        amount: i32::MAX,
        cash: 0,
        storage: Some(vec![full; 256]),
        values: Some(vec![1; 4]),
        income_mult: None,
        stored: None,
    };
    let paid = compute_spend_money(&input).unwrap();
    assert_eq!(paid.ore_credits, 10_240_000);
    assert_eq!(paid.uncovered, i32::MAX - 10_240_000);
}
