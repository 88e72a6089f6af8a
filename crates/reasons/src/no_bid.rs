//! The no-bid reasons, in the order of the checks, and their OpenRTB codes.

use crate::dimensions;
use base::named;

/// All reasons. Those of targeting come from [`dimensions`](mod@crate::dimensions), most of those of creatives from
/// [`creatives`](mod@crate::creatives).
macro_rules! all_reasons {
    (
        creative { $($(#[$creative_doc:meta])* $creative:ident = $creative_text:literal $(($creative_nbr:literal))?:
            $_w4:tt $_p4:tt $_r4:tt,)* }
        request { $($(#[$request_doc:meta])* $request:ident = $request_text:literal $(($request_nbr:literal))?:
            $_k1:ident $_a1:ident $_w1:tt $_p1:tt |$_f1:ident| $_t1:expr,)* }
        imp { $($(#[$imp_doc:meta])* $imp:ident = $imp_text:literal $(($imp_nbr:literal))?:
            $_k2:ident $_a2:ident $_w2:tt $_p2:tt |$_f2:ident| $_t2:expr,)* }
        spot { $($(#[$spot_doc:meta])* $spot:ident = $spot_text:literal $(($spot_nbr:literal))?:
            $_k3:ident $_a3:ident $_w3:tt $_p3:tt |$_f3:ident| $_t3:expr,)* }
    ) => { all_reasons! { @declare
            /// No impression of the request has an id.
            NoImp = "no-imp", 2;
            /// The id of the request, or of every impression, is longer than
            /// [`MAX_ID_BYTES`](base::limits::MAX_ID_BYTES).
            IdBytes = "id-bytes", 2;
            /// A list or a text of the request is longer than the reader accepts.
            ListLength = "list-length";
            /// Every impression shares its id with another one, so the exchange could not match bids to impressions.
            DuplicateImp = "duplicate-imp", 2;
            /// The answer would come later than `tmax`.
            Tmax = "tmax", 15;
            /// The user agent calls itself a crawler.
            Crawler = "crawler", 3;
            /// There is no legal basis for any bid.
            Privacy = "privacy";
            /// One showing counts for more impressions than the SSP's record allows, or for an unreadable number of them.
            Multiplier = "multiplier";
            /// The catalog has a rate for none of the currencies in `cur`.
            Currency = "currency";
            /// The catalog has no campaigns.
            NoCampaign = "no-campaign";
            /// An operator has stopped the campaign, or everything.
            Stopped = "stopped";
            /// The campaign does not buy from this SSP.
            Ssp = "ssp";
            /// The campaign's seat is not in `wseat`, or is in `bseat`.
            Seat = "seat";
        $($(#[$request_doc])* $request = $request_text $(, $request_nbr)?;)*
            /// The advertiser's domain is in `badv`.
            Badv = "badv";
            /// A category of the campaign is in `bcat`, or is of another taxonomy.
            Bcat = "bcat";
            /// The advertised app is in `bapp`.
            Bapp = "bapp";
            /// The exchange requires information under the Digital Services Act. The campaign has none, or both the ad
            /// and the publisher would show it, or neither.
            Dsa = "dsa";
            /// A category of the campaign is not in `acat`, or is of another taxonomy.
            Acat = "acat";
        $($(#[$imp_doc])* $imp = $imp_text $(, $imp_nbr)?;)*
            /// The campaign has none of the deals on offer and may not bid without a deal.
            Deal = "deal";
            /// The impression does not offer the creative's media type.
            MediaType = "media-type";
            /// The banner's size is not on offer.
            Size = "size";
            /// The campaign is paused.
            Paused = "paused";
            /// The campaign has not started, has ended, or is between two flights.
            Flight = "flight";
            /// No extended id of a targeted source has a match method that the campaign accepts.
            Mm = "mm", 8;
            /// The location is outside all circles that the campaign targets, inside one that it excludes, or unknown.
            Radius = "radius";
            /// The operating system's version is outside the range that the campaign targets, or unknown.
            Osv = "osv", 6;
            /// The year of birth is outside the range that the campaign targets, or unknown.
            Yob = "yob", 8;
            /// The supply chain is not complete, or there is none.
            SchainIncomplete = "schain-incomplete", 16;
            /// The supply chain has more nodes than the campaign accepts.
            SchainNodes = "schain-nodes", 17;
            /// The campaign does not accept an advertising system in the supply chain.
            SchainAsi = "schain-asi", 17;
            /// The publisher's ads.txt does not name the seller, or sellers.json of its system does not have it.
            SupplyUnauthorised = "supply-unauthorised", 12;
            /// No file says whether the seller may sell, and the campaign needs one that does.
            SupplyUnknown = "supply-unknown", 11;
            /// The campaign buys from the owner only, or from other types of sellers.
            SupplyPath = "supply-path", 17;
            /// The campaign does not bid at this hour.
            Hours = "hours";
            /// A metric such as viewability is below the campaign's minimum, or unknown.
            Metric = "metric";
            /// First-party data say something else than the campaign wants, or nothing.
            Data = "data";
            /// The campaign needs SKAdNetwork, but the impression does not offer its network in one of the campaign's
            /// versions, or there is no key to sign the bid; or `bapp` names the app that its `skadn` advertises.
            Skadn = "skadn";
            /// The impression may be billed later than the campaign waits (`imp.exp`).
            Exp = "exp";
            /// The person has reached the campaign's frequency cap.
            Frequency = "frequency", 9;
            /// The deal is not open to the campaign's seat (`deal.wseat`).
            DealWseat = "deal-wseat";
            /// The deal is not open to the campaign's advertiser (`deal.wadomain`).
            DealWadomain = "deal-wadomain";
        $($(#[$spot_doc])* $spot = $spot_text $(, $spot_nbr)?;)*
        $($(#[$creative_doc])* $creative = $creative_text $(, $creative_nbr)?;)*
            /// The SSP needs approved creatives, and has not approved this one.
            Approval = "approval";
            /// The creative has an advertiser of its own, which the request or the deal blocks: `badv`, `bcat`, `bapp`,
            /// `acat` or `wadomain`.
            Advertiser = "advertiser";
            /// The floor or its currency cannot be read.
            FloorUnreadable = "floor-unreadable", 2;
            /// The catalog has no rate for the currency of the floor or of the campaign.
            Rate = "rate";
            /// The most that the campaign pays is under the floor.
            Floor = "floor";
            /// Pacing: the campaign spends too fast and skips this request.
            Pacing = "pacing";
            /// Another bid on the same pod is a duplicate by `poddedupe`.
            PodDuplicate = "pod-duplicate";
            /// The answer would be longer than the SSP accepts.
            ResponseBytes = "response-bytes";
            /// The search reached the limit on work before it found a bid: see [`BASE_WORK`](base::limits::BASE_WORK).
            Work = "work";
    } };
    (@declare $($(#[$doc:meta])* $name:ident = $text:literal $(, $nbr:literal)?;)*) => {
        named! {
            /// Why there is no bid: the first check that failed. The order is the order of the checks: of several
            /// candidates, the one with the greatest reason has passed the most checks.
            ///
            /// ```
            /// use reasons::no_bid::NoBidReason;
            ///
            /// assert_eq!(NoBidReason::Crawler.as_str(), "crawler");
            /// assert_eq!(NoBidReason::Crawler.nbr(), Some(3));
            /// assert_eq!(NoBidReason::of_number(NoBidReason::Floor.number()), Some(NoBidReason::Floor));
            /// assert!(NoBidReason::Country < NoBidReason::Floor);
            /// ```
            #[derive(PartialOrd, Ord, Hash)]
            pub enum NoBidReason {
                $($(#[$doc])* $name = $text,)*
            }
        }

        impl NoBidReason {
            /// The place in [`NoBidReason::ALL`]: the reason's number in snapshots and towards the Worker.
            #[allow(clippy::cast_possible_truncation, reason = "there are fewer reasons than numbers")]
            pub const fn number(self) -> u8 {
                self as u8
            }

            /// The reason with this [`number`](NoBidReason::number); `None` if there is none.
            pub fn of_number(number: u8) -> Option<NoBidReason> {
                NoBidReason::ALL.get(usize::from(number)).copied()
            }

            /// OpenRTB's code for the reason (2.6 §4.2.1 `nbr`, list "No-Bid Reason Codes" of OpenRTB 3.0); `None` if
            /// the list has no such reason.
            pub fn nbr(self) -> Option<u16> {
                match self { $(NoBidReason::$name => [$(Some($nbr),)? None][0],)* }
            }
        }
    };
}

crate::creatives!(dimensions all_reasons);

const _: () = assert!(NoBidReason::ALL.len() <= 256, "a reason's number is a byte");

/// `Ok` if all checks passed, else the reason of the first that failed.
pub type Checked = Result<(), NoBidReason>;

/// `Ok` if the rule holds, else the reason.
pub fn require(holds: bool, reason: NoBidReason) -> Checked {
    if holds { Ok(()) } else { Err(reason) }
}

/// The first reason against something: that of a restriction that cannot be read, or that of its checks.
pub fn unless(unreadable: Option<NoBidReason>, checked: Checked) -> Checked {
    unreadable.into_iter().chain(checked.err()).min().map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_codes_are_in_the_list() {
        for (i, reason) in NoBidReason::ALL.iter().enumerate() {
            assert_eq!(*reason as usize, i);
            assert!(NoBidReason::ALL.iter().skip(i + 1).all(|other| other.as_str() != reason.as_str()));
            assert!(reason.nbr().is_none_or(|nbr| nbr <= 17));
        }
    }
}
