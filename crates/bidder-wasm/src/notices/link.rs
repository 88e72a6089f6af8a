//! Writes the notice URLs of one bid.
//!
//! A URL has only characters that need no escape in JSON, XML or HTML attributes, so it can stand anywhere.

use super::Notices;
use super::token::{Text, Token, hash_of};
use crate::bid::Bid;
use crate::catalog::{Billing, Media};
use crate::price::pays_bid;
use crate::write::Envelope;

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
pub(crate) struct Link<'n> {
    origin: &'n str,
    token: Text,
    bills_by_burl: bool,
    bills_in_markup: bool,
}

impl<'n> Link<'n> {
    /// The URLs of the bid at a place. `is_draft`: the URLs have the right length, but no signature.
    pub(crate) fn of(notices: &'n Notices, bid: &Bid<'_>, place: usize, envelope: &Envelope<'_>) -> Link<'n> {
        let token = if envelope.is_draft { Text::BLANK } else { notices.keys.sign(&token(bid, place, envelope)) };
        let (bills_by_burl, bills_in_markup) = match envelope.ssp.billing() {
            Billing::OpenRtb => match bid.creative.media() {
                Media::Banner(_) | Media::Native(_) => (true, false),
                Media::Video(_) | Media::Audio(_) => (false, true),
            },
            Billing::Burl => (true, false),
            Billing::Impression => (false, true),
            Billing::Both => (true, true),
            Billing::Win => (false, false),
        };
        Link { origin: &notices.origin, token, bills_by_burl, bills_in_markup }
    }

    /// Whether the exchange gets this notice's URL as an attribute of the bid.
    pub(crate) fn is_attribute(&self, notice: Notice) -> bool {
        match notice {
            Notice::Win | Notice::Loss => true,
            Notice::Bill => self.bills_by_burl,
            Notice::Imp => false,
        }
    }

    /// Itself if the markup calls a notice when the ad is shown.
    pub(crate) fn in_markup(&self) -> Option<&Self> {
        self.bills_in_markup.then_some(self)
    }

    /// Appends the URL.
    pub(crate) fn url(&self, out: &mut String, notice: Notice) {
        for part in [self.origin, "/n/", notice.name(), "/", self.token.as_str(), notice.macros()] {
            out.push_str(part);
        }
    }
}

fn token(bid: &Bid<'_>, place: usize, envelope: &Envelope<'_>) -> Token {
    Token {
        test: envelope.test,
        pays_bid: pays_bid(envelope.at, bid.deal),
        issued_s: envelope.issued_s,
        seed: envelope.seed,
        place: u8::try_from(place).unwrap_or(u8::MAX),
        campaign: hash_of(bid.campaign.cid()),
        creative: hash_of(bid.creative.crid()),
        ssp: hash_of(envelope.ssp.id()),
        price: bid.price.bid,
        cur: envelope.cur,
        own_cur: bid.campaign.cur(),
    }
}
