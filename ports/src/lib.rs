//! The engine systems of Tiberian Sun, Red Alert 2 and Yuri's Revenge as pure functions.
//!
//! One file a capability: metadata, input, breakdown, function. Nothing here reads a file, a clock or the environment,
//! keeps state, or calls a float function that the platform decides. A port never sees the specs and cases that judge it.

use assay_model::Port;

pub mod combat;
pub mod economy;
pub mod math;
pub mod movement;
pub mod rules;
pub mod timing;

/// Every capability, by area and name.
pub static ALL: &[&dyn Port] = &[
    &combat::compute_ballistic_pitch::PORT,
    &combat::compute_combat_anim::PORT,
    &combat::compute_damage::PORT,
    &combat::compute_death_weapon_damage::PORT,
    &combat::compute_defender_damage::PORT,
    &combat::compute_fire_damage::PORT,
    &combat::compute_infantry_fear::PORT,
    &combat::compute_kill_award::PORT,
    &combat::compute_launch_speed::PORT,
    &combat::compute_multi_engineer_damage::PORT,
    &combat::compute_object_damage::PORT,
    &combat::compute_prism_damage::PORT,
    &combat::compute_prone_damage::PORT,
    &combat::compute_readiness_ammo::PORT,
    &combat::compute_veterancy_bonus::PORT,
    &combat::compute_veterancy_gain::PORT,
    &combat::compute_warhead_damage::PORT,
    &combat::inspect_cell_spread::PORT,
    &combat::inspect_damage_gates::PORT,
    &combat::inspect_fire_error::PORT,
    &combat::inspect_ifv_slot::PORT,
    &combat::inspect_infantry_death::PORT,
    &combat::inspect_verses_engagement::PORT,
    &combat::inspect_veterancy_rank::PORT,
    &combat::inspect_weapon_choice::PORT,
    &combat::inspect_weapon_range::PORT,
    &combat::simulate_bridge_damage_roll::PORT,
    &combat::simulate_burst_cycle::PORT,
    &combat::simulate_chain_reaction::PORT,
    &combat::simulate_garrison_fire::PORT,
    &combat::simulate_gattling_stage::PORT,
    &combat::simulate_rearm_delay::PORT,
    &combat::simulate_wall_damage::PORT,
    &combat::simulate_wide_area_damage::PORT,
    &economy::compute_ore_deposit::PORT,
    &economy::compute_refinery_pile::PORT,
    &economy::compute_spend_money::PORT,
    &economy::simulate_credits_counter::PORT,
    &math::compute_crc32::PORT,
    &math::compute_distance::PORT,
    &math::compute_fast_sqrt::PORT,
    &math::compute_x87_chop::PORT,
    &math::simulate_random_range::PORT,
    &math::simulate_random_stream::PORT,
    &movement::compute_facing_bucket::PORT,
    &movement::compute_facing_from_delta::PORT,
    &movement::simulate_facing_rotation::PORT,
    &timing::compute_minutes_to_frames::PORT,
];
