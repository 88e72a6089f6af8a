//! Writes the notice URLs of one bid.
//!
//! A URL has only characters that need no escape in JSON, XML or HTML attributes, so it can stand anywhere.

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
}

impl<'n> Link<'n> {
    /// The URLs of a bid with this media at an SSP that bills in this way. Without a token, the URLs have the right
    /// length but no meaning.
    #[must_use]
    pub fn of(notices: &'n Notices, token: Option<&Token>, billing: Billing, media: &Media<'_>) -> Link<'n> {
        let (bills_by_burl, bills_in_markup) = match billing {
            Billing::OpenRtb => match media {
                Media::Banner(_) | Media::Native(_) => (true, false),
                Media::Video(_) | Media::Audio(_) => (false, true),
            },
            Billing::Burl => (true, false),
            Billing::Impression => (false, true),
            Billing::Both => (true, true),
            Billing::Win => (false, false),
        };
        let token = token.map_or(Text::BLANK, |token| notices.keys.sign(token));
        Link { origin: &notices.origin, token, bills_by_burl, bills_in_markup }
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
    }
}
