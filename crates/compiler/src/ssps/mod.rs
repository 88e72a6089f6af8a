//! SSPs, and the settings of the whole catalog.

pub(super) mod approvals;
pub(super) mod bid_ext;
pub(super) mod profiles;
pub(super) mod response_bytes;
pub(super) mod settings;
pub(super) mod ssp;
