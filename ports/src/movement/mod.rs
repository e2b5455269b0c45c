//! Engine systems of the area `movement`.
