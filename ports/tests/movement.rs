//! Properties of the movement ports over their whole domains.

use assay_model::{Game, Output, Port};
use assay_ports::movement::compute_facing_bucket::{FacingBucketInput, compute_facing_bucket};
use assay_ports::movement::compute_facing_from_delta::{FacingFromDeltaInput, compute_facing_from_delta};
use assay_ports::movement::simulate_facing_rotation::{FacingRotationInput, Turn, simulate_facing_rotation};
use assay_ports::movement::{compute_facing_bucket, compute_facing_from_delta, simulate_facing_rotation};
use proptest::prelude::*;

const GAMES: [Game; 5] = [Game::Td, Game::Ra1, Game::Ts, Game::Ra2, Game::Yr];

fn later() -> impl Strategy<Value = Game> {
    prop::sample::select(vec![Game::Ts, Game::Ra2, Game::Yr])
}

/// Distances of every magnitude, the limits included.
fn distance() -> impl Strategy<Value = i32> {
    prop_oneof![any::<i32>(), -600..600_i32, -131_072..131_072_i32, Just(i32::MIN), Just(i32::MAX)]
}

/// The shorter way from one facing to another, unsigned.
fn apart(from: u16, to: u16) -> u16 {
    (to.wrapping_sub(from) as i16).unsigned_abs()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn deltas_are_total_and_deterministic(
        game in prop::sample::select(GAMES.to_vec()),
        dx in distance(),
        dy in distance(),
        directions in prop_oneof![Just(8_u16), Just(256), any::<u16>()],
    ) {
        let input = FacingFromDeltaInput { game, dx, dy, directions };
        let first = compute_facing_from_delta(&input);
        prop_assert_eq!(&first, &compute_facing_from_delta(&input));
        let wanted = game != Game::Td
            && dx != i32::MIN
            && dy != i32::MIN
            && (directions == 256 || (directions == 8 && game == Game::Ra1));
        prop_assert_eq!(first.is_ok(), wanted);
    }

    #[test]
    fn opposite_deltas_face_half_a_turn_apart(game in later(), dx in -131_072..131_072_i32, dy in -131_072..131_072_i32) {
        prop_assume!((dx, dy) != (0, 0));
        let facing = |dx, dy| {
            let input = FacingFromDeltaInput { game, dx, dy, directions: 256 };
            compute_facing_from_delta(&input).unwrap().facing16.unwrap()
        };
        // Truncation on both sides of zero, and a turn of 65534 units, leave up to two units.
        prop_assert!(apart(facing(dx, dy), facing(-dx, -dy)) >= 0x7ffe);
    }

    #[test]
    fn headings_lie_in_their_octant_or_next_to_it(dx in -131_072..131_072_i32, dy in -131_072..131_072_i32) {
        prop_assume!((dx, dy) != (0, 0));
        let input = FacingFromDeltaInput { game: Game::Yr, dx, dy, directions: 256 };
        let facing = compute_facing_from_delta(&input).unwrap();
        // Slopes, compared without any trigonometry: an entry spans at most 256 units, so only a heading near the edge
        // of an octant may land in the neighbouring one.
        let exact = exact_octant(dx, dy);
        let off = (facing.octant + 8 - exact) % 8;
        prop_assert!(off == 0 || off == 1 || off == 7, "{dx} {dy}: {} for {exact}", facing.octant);
    }

    #[test]
    fn buckets_are_total_and_deterministic(
        game in prop::sample::select(GAMES.to_vec()),
        facing in any::<u16>(),
        buckets in prop_oneof![prop::sample::select(vec![8_u16, 16, 32, 64, 256]), any::<u16>()],
        offset in prop_oneof![Just(0), -65_535..=65_535, any::<i32>()],
    ) {
        let input = FacingBucketInput { game, facing, buckets, offset };
        let first = compute_facing_bucket(&input);
        prop_assert_eq!(&first, &compute_facing_bucket(&input));
        if let Ok(bucket) = first {
            prop_assert!(bucket.bucket < buckets && bucket.truncated < buckets);
            prop_assert_eq!(1_u32 << bucket.bits, u32::from(buckets));
        }
    }

    #[test]
    fn the_authored_facing_of_a_bucket_is_its_own_bucket_and_the_nearest(
        game in later(),
        facing in any::<u16>(),
        buckets in prop::sample::select(vec![8_u16, 16, 32, 64, 256]),
        offset in -65_535..=65_535_i32,
    ) {
        let bucket = |facing| compute_facing_bucket(&FacingBucketInput { game, facing, buckets, offset }).unwrap();
        let first = bucket(facing);
        let authored = first.authored.unwrap();
        prop_assert_eq!(bucket(authored).bucket, first.bucket);
        prop_assert!(u32::from(apart(facing, authored)) * 2 <= 65_536 / u32::from(buckets));
    }

    #[test]
    fn turns_arrive_and_come_closer_at_every_frame(game in later(), from in any::<u16>(), to in any::<u16>(), rot in 0..=32_767_u16) {
        let input = FacingRotationInput { game, from, to, rot, first: 0, frames: 0 };
        let turn = simulate_facing_rotation(&input).unwrap();
        prop_assert_eq!(turn.facings.last(), Some(&to));
        prop_assert_eq!(turn.arrives.map(usize::from), Some(turn.facings.len() - 1));
        prop_assert!(turn.facings.windows(2).all(|pair| apart(pair[1], to) < apart(pair[0], to)));
        prop_assert!(apart(turn.facings[0], to) <= apart(from, to), "the remainder is made up, never added");
        prop_assert_eq!(turn.direction == Turn::None, from == to);
    }

    #[test]
    fn ancestor_turns_arrive_without_overshooting(from in 0..=255_u16, to in 0..=255_u16, rot in 0..=32_767_u16) {
        let input = FacingRotationInput { game: Game::Ra1, from, to, rot, first: 0, frames: 0 };
        let turn = simulate_facing_rotation(&input).unwrap();
        let left = |facing: u16| (to.wrapping_sub(facing) as i8).unsigned_abs();
        prop_assert_eq!(turn.facings[0], from);
        if rot == 0 && from != to {
            prop_assert_eq!((turn.arrives, turn.steps), (None, None));
        } else {
            prop_assert_eq!(turn.facings.last(), Some(&to));
            prop_assert_eq!(turn.arrives.map(usize::from), Some(turn.facings.len() - 1));
        }
        prop_assert!(turn.facings.windows(2).all(|pair| left(pair[1]) < left(pair[0])));
    }

    #[test]
    fn a_window_is_a_part_of_the_whole_turn(
        game in prop::sample::select(vec![Game::Ra1, Game::Ts, Game::Yr]),
        from in 0..=255_u16,
        to in 0..=255_u16,
        rot in 0..=200_u16,
        first in 0..=4_096_u16,
        frames in 1..=300_u16,
    ) {
        let run = |first, frames| {
            let (from, to) = if game == Game::Ra1 { (from, to) } else { (from << 8, to << 8) };
            let input = FacingRotationInput { game, from, to, rot, first, frames };
            simulate_facing_rotation(&input).unwrap()
        };
        let window = run(first, frames);
        prop_assert_eq!(window.facings.len(), usize::from(frames));
        let whole = run(0, 4_096).facings;
        let shown = |frame: usize| whole[frame.min(4_095)];
        let expected: Vec<_> = (0..usize::from(frames)).map(|frame| shown(usize::from(first) + frame)).collect();
        prop_assert_eq!(window.facings, expected, "nothing moves after frame 4095");
    }

    #[test]
    fn rotations_are_total(
        game in prop::sample::select(GAMES.to_vec()),
        from in any::<u16>(),
        to in any::<u16>(),
        rot in any::<u16>(),
        first in any::<u16>(),
        frames in any::<u16>(),
    ) {
        let input = FacingRotationInput { game, from, to, rot, first, frames };
        let result = simulate_facing_rotation(&input);
        let bytes = game != Game::Ra1 || (from <= 255 && to <= 255);
        let wanted = game != Game::Td && rot <= 32_767 && first <= 4_096 && frames <= 4_096 && bytes;
        prop_assert_eq!(result.is_ok(), wanted);
    }
}

/// The nearest of eight directions, north 0, clockwise, by comparing slopes with tan 22.5° = 0.41421356….
fn exact_octant(dx: i32, dy: i32) -> u8 {
    let (across, along) = (i64::from(dx).abs(), i64::from(dy).abs());
    let steep = |lesser: i64, greater: i64| lesser * 100_000_000 < greater * 41_421_356;
    let (north, east) = (dy <= 0, dx >= 0);
    match (steep(across, along), steep(along, across), north, east) {
        (true, _, true, _) => 0,
        (true, _, false, _) => 4,
        (_, true, _, true) => 2,
        (_, true, _, false) => 6,
        (_, _, true, true) => 1,
        (_, _, false, true) => 3,
        (_, _, false, false) => 5,
        (_, _, true, false) => 7,
    }
}

#[test]
fn examples_run_to_the_same_bytes_twice() {
    let ports: [&dyn Port; 3] =
        [&compute_facing_bucket::PORT, &compute_facing_from_delta::PORT, &simulate_facing_rotation::PORT];
    for port in ports {
        let (mut first, mut second) = (Output::default(), Output::default());
        port.run(port.meta().example.as_bytes(), &mut first).unwrap();
        port.run(port.meta().example.as_bytes(), &mut second).unwrap();
        assert_eq!(first.json, second.json);
        assert!(first.json.len() > 20);
    }
}

#[test]
fn schemas_bound_every_argument() {
    let rot = simulate_facing_rotation::PORT.input_schema();
    assert_eq!(rot.pointer("/properties/rot/maximum"), Some(&32_767.into()));
    assert_eq!(rot.pointer("/properties/rot/minimum"), Some(&0.into()));
    assert_eq!(rot.pointer("/properties/frames/maximum"), Some(&4_096.into()));
    let delta = compute_facing_from_delta::PORT.input_schema();
    assert_eq!(delta.pointer("/properties/dx/minimum"), Some(&(-2_147_483_647).into()));
    assert_eq!(delta.pointer("/properties/directions/default"), Some(&256.into()));
    let bucket = compute_facing_bucket::PORT.input_schema();
    assert_eq!(bucket.pointer("/properties/buckets/enum/4"), Some(&256.into()));
    assert_eq!(bucket.pointer("/properties/offset/minimum"), Some(&(-65_535).into()));
}

#[test]
fn stages_that_a_branch_skips_are_left_out() {
    let mut output = Output::default();
    compute_facing_from_delta::PORT.run(br#"{"dx":0,"dy":-1}"#, &mut output).unwrap();
    let text = String::from_utf8(output.json.clone()).unwrap();
    assert!(
        text.contains("\"facing16\":0,") && !text.contains("ratio") && !text.contains("quadrant"),
        "{text}"
    );
    compute_facing_from_delta::PORT.run(br#"{"game":"RA1","dx":0,"dy":0}"#, &mut output).unwrap();
    assert_eq!(output.json, br#"{"quadrant":0,"byte":255,"octant":0}"#);
}
