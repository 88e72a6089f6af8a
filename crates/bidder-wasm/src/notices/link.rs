//! Writes the notice URLs of one bid.
//!
//! A URL has only characters that need no escape in JSON, in HTML attributes or in the CDATA of XML.

use super::Notices;
use super::token::{Text, Token};
use crate::catalog::{Billing, Media};

/// What a notice tells. Its name is in the path of its URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// The bid has won: `nurl`.
    Win,
    /// The exchange bills the impression: `burl`.
    Bill,
    /// The bid has lost: `lurl`.
    Loss,
    /// The ad was shown: called from the markup.
    Imp,
}

impl Notice {
    /// Every notice.
    pub const ALL: [Notice; 4] = [Notice::Win, Notice::Bill, Notice::Loss, Notice::Imp];

    /// The notice with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Notice> {
        Notice::ALL.into_iter().find(|notice| notice.name() == name)
    }

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Notice::Win => "win",
            Notice::Bill => "bill",
            Notice::Loss => "loss",
            Notice::Imp => "imp",
        }
    }

    /// The macros that the exchange fills (OpenRTB 2.6 §4.4).
    fn macros(self) -> &'static str {
        match self {
            Notice::Win => "?p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}&m=${AUCTION_MIN_TO_WIN}",
            Notice::Bill | Notice::Imp => "?p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}",
            Notice::Loss => "?l=${AUCTION_LOSS}&c=${AUCTION_CURRENCY}&m=${AUCTION_MIN_TO_WIN}",
        }
    }
}

/// The notice URLs of one bid.
#[derive(Debug, Clone, Copy)]
pub struct Link<'n> {
    origin: &'n str,
    token: Text,
    bills_by_burl: bool,
    bills_in_markup: bool,
    dooh: bool,
}

/// What decides where a bid's notices stand.
#[derive(Debug, Clone, Copy)]
pub struct Placing<'p> {
    /// How the SSP bills.
    pub billing: Billing,
    /// The ad.
    pub media: Media<'p>,
    /// Whether the campaign has a `nurl` of its own.
    pub has_nurl: bool,
    /// Whether the campaign has a `burl` of its own.
    pub has_burl: bool,
    /// Whether the ad is for a screen in a public place.
    pub dooh: bool,
}

impl<'n> Link<'n> {
    /// The URLs of a bid. Without a token, they have the right length but no meaning.
    ///
    /// If the campaign's own URL takes the place of the notice that bills, the markup calls a notice of ours instead.
    #[must_use]
    pub fn of(notices: &'n Notices, token: Option<&Token>, placing: &Placing<'_>) -> Link<'n> {
        let &Placing { billing, media, has_nurl, has_burl, dooh } = placing;
        let is_linear = matches!(media, Media::Video(_) | Media::Audio(_));
        let by_burl = matches!(billing, Billing::Burl | Billing::Both) || billing == Billing::OpenRtb && !is_linear;
        let in_markup =
            matches!(billing, Billing::Impression | Billing::Both) || billing == Billing::OpenRtb && is_linear;
        let is_taken = by_burl && has_burl || billing == Billing::Win && has_nurl;
        let token = token.map_or(Text::BLANK, |token| notices.keys.sign(token));
        let (bills_by_burl, bills_in_markup) = (by_burl, in_markup || is_taken);
        Link { origin: &notices.origin, token, bills_by_burl, bills_in_markup, dooh }
    }

    /// Whether the exchange gets this notice's URL as an attribute of the bid.
    #[must_use]
    pub fn is_attribute(&self, notice: Notice) -> bool {
        match notice {
            Notice::Win | Notice::Loss => true,
            Notice::Bill => self.bills_by_burl,
            Notice::Imp => false,
        }
    }

    /// Itself if the markup calls a notice when the ad is shown.
    #[must_use]
    pub fn in_markup(&self) -> Option<&Self> {
        self.bills_in_markup.then_some(self)
    }

    /// Appends the URL.
    pub fn url(&self, out: &mut String, notice: Notice) {
        for part in [self.origin, "/n/", notice.name(), "/", self.token.as_str(), notice.macros()] {
            out.push_str(part);
        }
        if self.dooh && notice != Notice::Loss {
            out.push_str("&x=${AUCTION_MULTIPLIER}");
        }
    }
}
