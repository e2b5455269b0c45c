//! Engine systems of the area `combat`.
