//! Creatives: checks ads and makes them ready to serve.

pub(super) mod companion;
pub(super) mod creative;
pub(super) mod doubts;
pub(super) mod interactive;
pub(super) mod linear;
pub(super) mod markup;
pub(super) mod native;
pub(super) mod ready_vast;
mod stored;
pub(super) mod tracking;
pub(super) mod vast;
pub(super) mod xml;
