//! Engine systems of the area `combat`: what a shot carries, what its target makes of it, and what the warhead leaves.
//!
//! TS and YR share the order of a hit and differ in nearly every formula. An argument that only the other game's rule
//! reads is refused, so that nothing given is silently ignored.

use crate::rules::argument::{held, within};
use assay_model::{Game, PortError, RealArg};

pub mod area_object;
pub mod cell_spread_table;
pub mod compute_ammo_reload;
pub mod compute_ballistic_pitch;
pub mod compute_c4_timer;
pub mod compute_cloak_state;
pub mod compute_combat_anim;
pub mod compute_damage;
pub mod compute_damage_estimate;
pub mod compute_death_weapon_damage;
pub mod compute_defender_damage;
pub mod compute_fire_damage;
pub mod compute_infantry_fear;
pub mod compute_infantry_special_damage;
pub mod compute_kill_award;
pub mod compute_launch_speed;
pub mod compute_multi_engineer_damage;
pub mod compute_object_damage;
pub mod compute_prism_damage;
pub mod compute_prone_damage;
pub mod compute_readiness_ammo;
pub mod compute_repair_step;
pub mod compute_veterancy_bonus;
pub mod compute_veterancy_gain;
pub mod compute_warhead_damage;
pub mod inspect_bullet_submunitions;
pub mod inspect_cell_spread;
pub mod inspect_crush;
pub mod inspect_damage_gates;
pub mod inspect_fire_error;
pub mod inspect_ifv_slot;
pub mod inspect_infantry_death;
pub mod inspect_mind_control_capacity;
pub mod inspect_proximity_fuse;
pub mod inspect_verses_engagement;
pub mod inspect_veterancy_rank;
pub mod inspect_warhead_cascade;
pub mod inspect_weapon_choice;
pub mod inspect_weapon_range;
pub mod simulate_area_damage;
pub mod simulate_bomb_visibility;
pub mod simulate_bridge_damage_roll;
pub mod simulate_burst_cycle;
pub mod simulate_chain_reaction;
pub mod simulate_disc_laser;
pub mod simulate_emp_pulse;
pub mod simulate_garrison_fire;
pub mod simulate_gattling_stage;
pub mod simulate_ivan_bomb;
pub mod simulate_kamikaze;
pub mod simulate_mind_control_overload;
pub mod simulate_parasite;
pub mod simulate_projectile_scatter;
pub mod simulate_radiation;
pub mod simulate_rearm_delay;
pub mod simulate_self_heal;
pub mod simulate_spawn_manager;
pub mod simulate_temporal_erase;
pub mod simulate_wall_damage;
pub mod simulate_wide_area_damage;

/// Refuses an argument that belongs to the rule of another game.
///
/// # Errors
/// `EINVAL` at `field` when it was given and `game` is not its `owner`.
fn only(owner: Game, game: Game, given: bool, field: &str) -> Result<(), PortError> {
    if given && game != owner {
        return Err(PortError::invalid(field, format!("is read by {owner} only; leave it out for {game}")));
    }
    Ok(())
}

fn ts() -> Game {
    Game::Ts
}

fn yr() -> Game {
    Game::Yr
}

fn yes() -> bool {
    true
}

/// The factor that changes nothing, which is what the constructors write.
fn one() -> RealArg {
    RealArg::Held(1.0)
}

/// `MaxDamage` as the constructors write it.
fn max_damage() -> i32 {
    1000
}
