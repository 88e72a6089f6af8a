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
            pub const fn as_str(self) -> &'static str {
                match self { $(NoBidReason::$name => $text,)* }
            }

            /// Its place among [`NoBidReason::ALL`].
            #[must_use]
            #[allow(clippy::cast_possible_truncation, reason = "there are fewer reasons than numbers")]
            pub const fn number(self) -> u8 {
                self as u8
            }

            /// The reason with this number.
            #[must_use]
            pub fn of_number(number: u8) -> Option<NoBidReason> {
                NoBidReason::ALL.get(usize::from(number)).copied()
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

/// The reasons of the rules, with those of targeting from [`dimensions`](crate::dimensions) where their checks stand.
macro_rules! all_reasons {
    (
        request { $($(#[$request_doc:meta])* $request:ident = $request_text:literal $(($request_nbr:literal))?:
            $_k1:ident $_a1:ident [$($_p1:ident)*] |$_f1:ident| $_t1:expr,)* }
        imp { $($(#[$imp_doc:meta])* $imp:ident = $imp_text:literal $(($imp_nbr:literal))?:
            $_k2:ident $_a2:ident [$($_p2:ident)*] |$_f2:ident| $_t2:expr,)* }
        spot { $($(#[$spot_doc:meta])* $spot:ident = $spot_text:literal $(($spot_nbr:literal))?:
            $_k3:ident $_a3:ident [$($_p3:ident)*] |$_f3:ident| $_t3:expr,)* }
    ) => { reasons! {
            /// No impression of the request carries an id.
            NoImp = "no-imp", Some(2);
            /// The id of the request, or of every impression, is longer than an answer repeats.
            IdBytes = "id-bytes", Some(2);
            /// A list or a text of the request is longer than is read.
            ListLength = "list-length", None;
            /// Another impression has the same id, so an exchange could not tell bids on them apart.
            DuplicateImp = "duplicate-imp", Some(2);
            /// The exchange would not wait for the answer.
            Tmax = "tmax", Some(15);
            /// The user agent calls itself a crawler.
            Crawler = "crawler", Some(3);
            /// There is no legal basis for any bid.
            Privacy = "privacy", None;
            /// The catalog has a rate for none of the currencies in `cur`.
            Currency = "currency", None;
            /// The catalog holds no campaign.
            NoCampaign = "no-campaign", None;
            /// The campaign does not buy from this SSP.
            Ssp = "ssp", None;
            /// The campaign's seat is not in `wseat`, or is in `bseat`.
            Seat = "seat", None;
        $($(#[$request_doc])* $request = $request_text, nbr!($($request_nbr)?);)*
            /// The advertiser's domain is in `badv`.
            Badv = "badv", None;
            /// A category of the campaign is in `bcat`, or cannot be compared with it.
            Bcat = "bcat", None;
            /// The advertised app is in `bapp`.
            Bapp = "bapp", None;
            /// The exchange takes no bid without what the Digital Services Act asks for, and the campaign does not tell it, or both
            /// the ad and the publisher would show it, or neither.
            Dsa = "dsa", None;
            /// A category of the campaign is not in `acat`, or cannot be compared with it.
            Acat = "acat", None;
        $($(#[$imp_doc])* $imp = $imp_text, nbr!($($imp_nbr)?);)*
            /// The campaign holds none of the deals on offer and may not bid without one.
            Deal = "deal", None;
            /// The impression does not offer the creative's media type.
            MediaType = "media-type", None;
            /// The banner's size is not on offer.
            Size = "size", None;
            /// No extended id that counts was matched in a way that the campaign accepts.
            Mm = "mm", Some(8);
            /// The place is not one that the campaign targets, or is not known.
            Radius = "radius", None;
            /// The operating system's version is not in the range that the campaign targets.
            Osv = "osv", Some(6);
            /// The year of birth is not in the range that the campaign targets.
            Yob = "yob", Some(8);
            /// The supply chain is not complete.
            SchainIncomplete = "schain-incomplete", Some(16);
            /// The supply chain has more nodes than the campaign accepts.
            SchainNodes = "schain-nodes", Some(17);
            /// An advertising system in the supply chain is not one that the campaign accepts.
            SchainAsi = "schain-asi", Some(17);
            /// The campaign does not bid at this hour.
            Hours = "hours", None;
            /// A measurement does not reach what the campaign asks, or was not made.
            Metric = "metric", None;
            /// Billing may come later than the campaign waits.
            Exp = "exp", None;
            /// The person has seen the campaign often enough.
            Frequency = "frequency", Some(9);
            /// The deal is not open to the campaign's seat (`deal.wseat`).
            DealWseat = "deal-wseat", None;
            /// The deal is not open to the campaign's advertiser (`deal.wadomain`).
            DealWadomain = "deal-wadomain", None;
        $($(#[$spot_doc])* $spot = $spot_text, nbr!($($spot_nbr)?);)*
            /// The banner's type is in `btype`.
            Btype = "btype", None;
            /// The creative's MIME type is not accepted.
            Mimes = "mimes", None;
            /// The creative expands in a direction that is not allowed.
            Expdir = "expdir", None;
            /// No playable file has an accepted bit rate.
            Bitrate = "bitrate", None;
            /// No playable file comes in an accepted way.
            Delivery = "delivery", None;
            /// The markup's VAST or DAAST version is not accepted.
            Protocols = "protocols", None;
            /// Linear where only non-linear is accepted, or the reverse.
            Linearity = "linearity", None;
            /// Shorter or longer than accepted, or not one of `rqddurs`.
            Duration = "duration", None;
            /// The ad has a skip button of its own, and the player too.
            Skip = "skip", None;
            /// The ad does not have the player's proportions where `boxingallowed` is 0.
            Boxing = "boxing", None;
            /// The ad needs a companion, and no companion slot takes one of its own.
            Companion = "companion", None;
            /// A required native asset cannot be answered.
            Asset = "asset", None;
            /// The creative needs an API framework that is not supported.
            Api = "api", None;
            /// The creative has an attribute in `battr`.
            Battr = "battr", None;
            /// Not all of the markup and its URLs are HTTPS where `secure` is 1.
            Secure = "secure", None;
            /// The creative needs the person's device where `ssai` is 3.
            Ssai = "ssai", None;
            /// The creative's language is not in `wlang` or `wlangb`.
            Wlang = "wlang", None;
            /// The floor, or its currency, is something that cannot be read.
            FloorUnreadable = "floor-unreadable", Some(2);
            /// A currency of the floor or of the campaign has no rate.
            Rate = "rate", None;
            /// The most that the campaign pays is under the floor.
            Floor = "floor", None;
            /// The campaign spends too fast and sits this request out.
            Pacing = "pacing", None;
            /// Another bid of the same pod shows what `poddedupe` wants once only.
            PodDuplicate = "pod-duplicate", None;
            /// The answer would be longer than the SSP takes.
            ResponseBytes = "response-bytes", None;
    } };
}

macro_rules! nbr {
    () => {
        None
    };
    ($nbr:literal) => {
        Some($nbr)
    };
}

crate::dimensions!(all_reasons);

const _: () = assert!(NoBidReason::ALL.len() <= 256, "a reason's number is a byte");

/// Passed, or the first reason why not.
pub type Checked = Result<(), NoBidReason>;

/// `Ok` when the rule holds, else the reason.
pub(crate) fn require(holds: bool, reason: NoBidReason) -> Checked {
    if holds { Ok(()) } else { Err(reason) }
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
