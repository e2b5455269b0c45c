#!/usr/bin/env node
// A port in JavaScript, written from the specs alone: copy it, and put your own systems in the place of these.
//
//     assay port check 'node harness/examples/ports/port.js'
//     assay verify --port 'node harness/examples/ports/port.js'
//
// Needs Node 18 and nothing else. The protocol is `assay port protocol`.
"use strict";

/** The engine does not accept this input. */
class Refused extends Error {
  constructor(field, message, errno = "EINVAL") {
    super(message);
    this.error = { errno, field, message };
  }
}

/** The arguments, with the defaults of the spec for those left out; `undefined` has no default. */
function taken(given, defaults) {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(defaults, name)) throw new Refused(name, "unknown argument");
  }
  const all = { ...defaults, ...given };
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) throw new Refused(name, "missing argument");
    if (name !== "game" && !Number.isInteger(value)) throw new Refused(name, "not an integer");
  }
  return all;
}

// JavaScript's bit operators work on signed 32-bit words, which is what most integers of the engine are. `Math.imul` is its
// multiplication; `*` would round.

/** oracles/specs/economy/compute_refinery_pile.md */
function computeRefineryPile(given) {
  const { stored, capacity } = taken(given, { game: "YR", stored: undefined, capacity: undefined });
  let tier = 0; // tier.1
  if (stored !== 0) {
    const quarters = stored << 2; // tier.2
    if (capacity === 0 || (quarters === -(2 ** 31) && capacity === -1)) { // divide.1
      throw new Refused("capacity", "the processor cannot divide by this");
    }
    tier = (quarters / capacity) | 0;
  }
  // slot.1, slot.2
  return tier >= 0 ? { tier, slot: 3 + Math.min(tier, 3) } : { tier };
}

/** oracles/specs/combat/compute_ammo_reload.md */
function computeAmmoReload(given) {
  const names = { game: "YR", ammo: undefined, max_ammo: undefined, reload: 0, empty_reload: -1, reload_increment: 0, pip_wrap: 0 };
  const { ammo, max_ammo, reload, empty_reload, reload_increment, pip_wrap } = taken(given, names);
  if (ammo >= max_ammo) return { timer: "none" }; // full.1
  if (ammo === 0 && empty_reload !== -1) return { timer: "empty", frames: empty_reload }; // empty.1
  const group = pip_wrap === 0 ? 1 : (ammo / pip_wrap) | 0; // group.1
  const added = Math.imul(Math.imul(reload_increment, group), group); // delay.1
  return { timer: "increment", group, added, frames: (reload + added) | 0 };
}

/** oracles/specs/movement/compute_facing_bucket.md, without RA1, whose facings are bytes and go through tables. */
function computeFacingBucket(given) {
  const { game, facing, buckets, offset } = taken(given, { game: "YR", facing: undefined, buckets: undefined, offset: 0 });
  const bits = { 8: 3, 16: 4, 32: 5, 64: 6, 256: 8 }[buckets];
  if (bits === undefined) throw new Refused("buckets", "not 8, 16, 32, 64 or 256");
  if (facing < 0 || facing > 65535) throw new Refused("facing", "not a word");
  if (Math.abs(offset) > 65535) throw new Refused("offset", "not a word");
  const mask = (1 << bits) - 1;
  const rounded = ((facing >> (15 - bits)) + 1) >> 1; // round.1
  const bucket = (rounded + offset) & mask; // offset.1
  const breakdown = {
    raw: facing,
    bits,
    bucket,
    truncated: facing >> (16 - bits),
    authored: ((bucket - offset) << (16 - bits)) & 0xffff, // widen.1
  };
  if (game === "YR" && offset === 0 && bits === 3) breakdown.muzzle_frame = (bucket + 1) & 7; // muzzle.1
  if (game === "YR" && offset === 0 && bits === 5) breakdown.bullet_frame = (28 - bucket) & 31; // bullet.1
  return breakdown;
}

const systems = {
  compute_ammo_reload: { games: ["YR"], run: computeAmmoReload },
  compute_facing_bucket: { games: ["TS", "RA2", "YR"], run: computeFacingBucket },
  compute_refinery_pile: { games: ["YR"], run: computeRefineryPile },
};

function answer({ id, capability, input }) {
  if (!Object.hasOwn(systems, capability)) return { id, skip: `${capability} is not done` };
  try {
    return { id, ok: systems[capability].run(input) };
  } catch (error) {
    if (error instanceof Refused) return { id, error: error.error };
    throw error;
  }
}

function reply(message) {
  if (message.run) return answer(message.run);
  const capabilities = Object.entries(systems).map(([name, { games }]) => ({ name, games }));
  return { hello: { protocol: 1, name: "example-javascript", language: "JavaScript", version: "1", capabilities } };
}

// Lines may come in pieces, and several at once; the answers of one piece leave together.
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (piece) => {
  const lines = (rest + piece).split("\n");
  rest = lines.pop();
  const replies = [];
  for (const line of lines) {
    const message = JSON.parse(line);
    if (message.bye) {
      process.stdin.destroy();
      break;
    }
    replies.push(JSON.stringify(reply(message)) + "\n");
  }
  process.stdout.write(replies.join(""));
});
