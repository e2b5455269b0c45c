//! `simulate_random_stream`: seeds the engine's generator and makes raw draws.

use crate::math::random::{Generator, Stream};
use crate::math::yr;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most draws that may be passed over.
pub(super) const MAX_SKIP: u32 = 1_000_000;
/// Most draws that are listed.
const MAX_DRAWS: u32 = 10_000;

/// Metadata.
pub static META: Meta = Meta {
    name: "simulate_random_stream",
    area: Area::Math,
    kind: Kind::Simulate,
    games: &[Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "Seeds the engine generator and makes raw draws: 250-word lagged XOR in TS, RA2 and YR, 15-bit congruential in RA1.",
    aliases: &[
        "random number generator",
        "RNG",
        "Random2Class",
        "RandomClass",
        "Randomizer",
        "R250",
        "lagged Fibonacci",
        "linear congruential",
        "seed",
        "Seed",
        "desync",
        "scenario random",
        "replay",
    ],
    units: "seed and draws are unsigned 32-bit words; RA1 draws are 0 to 32767",
    example: r#"{"seed":1,"draws":8}"#,
};

/// The port.
pub static PORT: FnPort<RandomStreamInput, RandomStream> = FnPort::new(&META, simulate_random_stream);

/// What to seed and how far to go.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomStreamInput {
    /// Game whose generator runs. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The seed, an unsigned 32-bit number.
    pub seed: u32,
    /// Draws made and thrown away before the listed ones, 0 to 1000000. Default 0.
    #[serde(default)]
    #[schemars(range(max = 1_000_000))]
    pub skip: u32,
    /// Draws to list, 0 to 10000. Default 16.
    #[serde(default = "sixteen")]
    #[schemars(range(max = 10_000))]
    pub draws: u32,
    /// RA2 and YR: the generator's byte that turns it off; draws are 0 and nothing moves. Default false.
    #[serde(default)]
    pub disabled: bool,
    /// TS, RA2 and YR: list all 250 words as seeded, before any draw. Default false.
    #[serde(default)]
    pub words: bool,
}

fn sixteen() -> u32 {
    16
}

/// The generator as seeded, what it drew, and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RandomStream {
    /// TS, RA2, YR: the table that the seed gives (seed.1, seed.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeded: Option<Seeded>,
    /// TS, RA2, YR: first cursor after the draws, 0 to 249 (draw.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor_a: Option<u8>,
    /// TS, RA2, YR: second cursor after the draws, 0 to 249 (draw.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor_b: Option<u8>,
    /// RA1: the state after the draws (congruential.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<u32>,
    /// The draws, unsigned (draw.1, disabled.1, congruential.1).
    pub draws: Vec<u32>,
    /// Draws that moved the generator since seeding, the skipped ones included.
    pub raw_draws: u64,
}

/// Words of the seeded table, before the first draw.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Seeded {
    /// Words 0 to 3.
    pub first: [u32; 4],
    /// Words 246 to 249.
    pub last: [u32; 4],
    /// All 250, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<u32>>,
}

impl Seeded {
    fn of(stream: &Stream, all: bool) -> Self {
        let words = stream.words();
        Self {
            first: [words[0], words[1], words[2], words[3]],
            last: [words[246], words[247], words[248], words[249]],
            words: all.then(|| words.to_vec()),
        }
    }
}

/// Seeds the generator of the game and draws.
///
/// # Errors
/// `EINVAL` for more draws than the bounds allow, and for `disabled` or `words` where the game has no such thing;
/// `EOPNOTSUPP` for a game without evidence.
pub fn simulate_random_stream(input: &RandomStreamInput) -> Result<RandomStream, PortError> {
    META.offers(input.game)?;
    if input.draws > MAX_DRAWS {
        return Err(PortError::invalid("draws", format!("at most {MAX_DRAWS} draws are listed")));
    }
    if input.words && input.game == Game::Ra1 {
        return Err(PortError::invalid("words", "the generator of RA1 has no table of words"));
    }
    let mut generator = started(input.game, input.seed, input.disabled)?;
    let seeded = match &generator {
        Generator::Lagged(stream) => Some(Seeded::of(stream, input.words)),
        Generator::Congruential(_) => None,
    };
    skip(&mut generator, input.skip)?;
    let draws = (0..input.draws).map(|_| generator.next()).collect();
    let (cursor_a, cursor_b, state) = match &generator {
        Generator::Lagged(stream) => (Some(stream.cursors().0), Some(stream.cursors().1), None),
        Generator::Congruential(generator) => (None, None, Some(generator.state())),
    };
    Ok(RandomStream { seeded, cursor_a, cursor_b, state, draws, raw_draws: generator.draws() })
}

/// A seeded generator, turned off if asked.
pub(super) fn started(game: Game, seed: u32, disabled: bool) -> Result<Generator, PortError> {
    let mut generator = Generator::seeded(game, seed);
    match &mut generator {
        Generator::Lagged(stream) if disabled && game != Game::Ts => stream.disable(),
        _ if disabled => {
            return Err(PortError::invalid("disabled", format!("the generator of {game} has no such byte")));
        }
        _ => {}
    }
    Ok(generator)
}

/// Makes draws that nobody looks at.
pub(super) fn skip(generator: &mut Generator, draws: u32) -> Result<(), PortError> {
    if draws > MAX_SKIP {
        return Err(PortError::invalid("skip", format!("at most {MAX_SKIP} draws are skipped")));
    }
    for _ in 0..draws {
        generator.next();
    }
    Ok(())
}
