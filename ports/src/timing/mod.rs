//! Engine systems of the area `timing`: how the times of the rules become frames.

pub mod compute_minutes_to_frames;
