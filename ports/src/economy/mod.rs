//! Engine systems of the area `economy`.
