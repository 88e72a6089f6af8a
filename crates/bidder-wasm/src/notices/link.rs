//! Writes the notice URLs of one bid.
//!
//! A URL has only characters that need no escape in JSON, in HTML attributes or in the CDATA of XML.

use super::Notices;
use super::token::{Texts, Token};
use crate::catalog::Billing;
use crate::named::named;

named! {
    /// What a notice tells. Its name is in the path of its URL.
    pub enum Notice {
        /// The bid has won: `nurl`.
        Win = "win",
        /// The exchange bills the impression: `burl`.
        Bill = "bill",
        /// The bid has lost: `lurl`.
        Loss = "loss",
        /// The ad was shown: called from the markup.
        Imp = "imp",
    }
}

impl Notice {
    /// The macros that the exchange fills (OpenRTB 2.6 §4.4).
    fn macros(self) -> &'static str {
        match self {
            Notice::Win => "?p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}&m=${AUCTION_MIN_TO_WIN}",
            Notice::Bill | Notice::Imp => "?p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}",
            Notice::Loss => "?l=${AUCTION_LOSS}&c=${AUCTION_CURRENCY}&m=${AUCTION_MIN_TO_WIN}",
        }
    }
}

/// Which notices of ours bill an ad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bills {
    /// `nurl`.
    pub by_win: bool,
    /// `burl`.
    pub by_burl: bool,
    /// A call from the markup. Ready VAST documents may have no place for it.
    pub in_markup: bool,
}

impl Bills {
    /// The notices that bill an ad at an SSP. `is_linear`: the ad is video or audio. `is_taken`: whether the campaign has
    /// a URL of its own for a notice. If that takes the place of the notice that bills, the markup calls one of ours.
    pub fn of(billing: Billing, is_linear: bool, is_taken: impl Fn(Notice) -> bool) -> Bills {
        let (by_burl, in_markup) = match billing {
            Billing::OpenRtb => (!is_linear, is_linear),
            Billing::Burl => (true, false),
            Billing::Impression => (false, true),
            Billing::Both => (true, true),
            Billing::Win => (false, false),
        };
        let win = (billing == Billing::Win).then(|| is_taken(Notice::Win));
        let burl = by_burl.then(|| is_taken(Notice::Bill));
        let in_markup = in_markup || win == Some(true) || burl == Some(true);
        Bills { by_win: win == Some(false), by_burl: burl == Some(false), in_markup }
    }

    /// Whether this notice bills.
    pub fn by(self, notice: Notice) -> bool {
        match notice {
            Notice::Win => self.by_win,
            Notice::Bill => self.by_burl,
            Notice::Imp => self.in_markup,
            Notice::Loss => false,
        }
    }
}

/// The notice URLs of one bid.
#[derive(Debug, Clone, Copy)]
pub struct Link<'n> {
    origin: &'n str,
    token: Texts,
    bills: Bills,
    /// Whether the ad is for a screen in a public place.
    dooh: bool,
}

impl<'n> Link<'n> {
    /// The URLs of a bid. Without a token, they have the right length but no meaning.
    pub fn of(notices: &'n Notices, token: Option<&Token>, bills: Bills, dooh: bool) -> Link<'n> {
        let token = token.map_or(Texts::BLANK, |token| notices.keys.sign(token));
        Link { origin: &notices.origin, token, bills, dooh }
    }

    /// Whether the exchange gets this notice's URL as an attribute of the bid, unless the campaign has its own.
    pub fn is_attribute(&self, notice: Notice) -> bool {
        match notice {
            Notice::Win | Notice::Loss => true,
            Notice::Bill => self.bills.by_burl,
            Notice::Imp => false,
        }
    }

    /// Itself if the markup calls a notice when the ad is shown.
    pub fn in_markup(&self) -> Option<&Self> {
        self.bills.in_markup.then_some(self)
    }

    /// Appends the URL.
    pub fn url(&self, out: &mut String, notice: Notice) {
        let [head, tail] = self.token.of(notice);
        for part in [self.origin, "/n/", notice.as_str(), "/", head, tail, notice.macros()] {
            out.push_str(part);
        }
        if self.dooh && notice != Notice::Loss {
            out.push_str("&x=${AUCTION_MULTIPLIER}");
        }
    }
}
