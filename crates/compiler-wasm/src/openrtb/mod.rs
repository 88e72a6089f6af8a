//! The complete object model of OpenRTB 2.6-202606, and of the Native Ads 1.2 request inside it.
//!
//! It has every attribute of every object, with the names of the specification. Numbers keep their exact text.
//! Enumerations are plain integers, because their lists grow without a new version of the specification. It sets no
//! defaults and checks no values; `values` does. The decision reads [`bidder_wasm::request`] instead.

mod audio;
mod banner;
mod channel;
mod content;
mod device;
mod imp;
mod keywords;
pub mod native;
mod request;
mod response;
mod source;
mod user;
pub(crate) mod values;
mod video;

pub use audio::Audio;
pub use banner::{Banner, Format};
pub use channel::{App, Dooh, Publisher, Site};
pub use content::{Channel, Content, Network, Producer};
pub use device::{BrandVersion, Device, Geo, UserAgent};
pub use imp::{Deal, DurFloors, Imp, Metric, Native, Pmp, Qty, RefSettings, Refresh};
pub use keywords::Keywords;
pub use request::{BidRequest, Dsa, DsaTransparency, Regs};
pub use response::{Bid, BidResponse, SeatBid};
pub use source::{Source, SupplyChain, SupplyChainNode};
pub use user::{Data, Eid, Segment, Uid, User};
pub use video::Video;

#[cfg(test)]
mod tests;
