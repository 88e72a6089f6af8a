//! Why nothing was bid: a closed list, ordered as the checks run, and its one mapping to OpenRTB.

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $nbr:expr;)*) => {
        /// Why nothing was bid. The order is the order of the checks: of several reasons the
        /// greatest belongs to the candidate that came closest to a bid.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum NoBidReason {
            $($(#[$doc])* $name,)*
        }

        impl NoBidReason {
            /// Every reason, in order; a reason's index is its number at the Wasm boundary.
            pub const ALL: &[NoBidReason] = &[$(NoBidReason::$name),*];

            /// The name used in counters, logs, fixtures and explanations.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(NoBidReason::$name => $text,)* }
            }

            /// The `nbr` value that tells an exchange this reason (list "No-Bid Reason Codes" of
            /// the OpenRTB 3.0 document, which 2.6 §4.2.1 refers to); `None` where the list has
            /// no fitting entry.
            #[must_use]
            pub fn nbr(self) -> Option<u16> {
                match self { $(NoBidReason::$name => $nbr,)* }
            }
        }
    };
}

reasons! {
    /// No impression of the request carries an id.
    NoImp = "no-imp", Some(2);
    /// Another impression has the same id, so an exchange could not tell bids on them apart.
    DuplicateImp = "duplicate-imp", Some(2);
    /// The catalog has a rate for none of the currencies in `cur`.
    Currency = "currency", None;
    /// The catalog holds no campaign.
    NoCampaign = "no-campaign", None;
    /// The campaign does not buy from this SSP.
    Ssp = "ssp", None;
    /// The campaign's seat is not in `wseat`, or is in `bseat`.
    Seat = "seat", None;
    /// Site, app or DOOH is not what the campaign targets.
    Channel = "channel", None;
    /// The country is not one that the campaign targets.
    Country = "country", None;
    /// The device type is not one that the campaign targets.
    Devicetype = "devicetype", Some(6);
    /// The domain is not one that the campaign targets.
    Domain = "domain", Some(7);
    /// The app bundle is not one that the campaign targets.
    Bundle = "bundle", Some(7);
    /// The publisher is not one that the campaign targets.
    Publisher = "publisher", Some(7);
    /// The advertiser's domain is in `badv`.
    Badv = "badv", None;
    /// A category of the campaign is in `bcat`, or cannot be compared with it.
    Bcat = "bcat", None;
    /// A category of the campaign is not in `acat`, or cannot be compared with it.
    Acat = "acat", None;
    /// The advertised app is in `bapp`.
    Bapp = "bapp", None;
    /// The campaign holds none of the deals on offer and may not bid without one.
    Deal = "deal", None;
    /// The deal is not open to the campaign's seat (`deal.wseat`).
    DealWseat = "deal-wseat", None;
    /// The deal is not open to the campaign's advertiser (`deal.wadomain`).
    DealWadomain = "deal-wadomain", None;
    /// The impression does not offer the creative's media type.
    MediaType = "media-type", None;
    /// The banner's size is not on offer.
    Size = "size", None;
    /// The banner's type is in `btype`.
    Btype = "btype", None;
    /// The creative's MIME type is not accepted.
    Mimes = "mimes", None;
    /// The markup's VAST or DAAST version is not accepted.
    Protocols = "protocols", None;
    /// Linear where only non-linear is accepted, or the reverse.
    Linearity = "linearity", None;
    /// Shorter or longer than accepted, or not one of `rqddurs`.
    Duration = "duration", None;
    /// The creative needs an API framework that is not supported.
    Api = "api", None;
    /// The creative has an attribute in `battr`.
    Battr = "battr", None;
    /// Not all of the markup and its URLs are HTTPS where `secure` is 1.
    Secure = "secure", None;
    /// A required native asset cannot be answered.
    Asset = "asset", None;
    /// A currency of the floor or of the campaign has no rate.
    Rate = "rate", None;
    /// The most that the campaign pays is under the floor.
    Floor = "floor", None;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_name_of_its_own_and_a_listed_nbr() {
        for (i, reason) in NoBidReason::ALL.iter().enumerate() {
            assert_eq!(*reason as usize, i);
            assert!(NoBidReason::ALL.iter().skip(i + 1).all(|other| other.as_str() != reason.as_str()));
            assert!(reason.nbr().is_none_or(|nbr| nbr <= 17));
        }
    }
}
