//! The kinds of notices, and which of them bill.

use base::named;
use catalog::Billing;

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
    /// The path of its URLs, up to the token.
    pub(super) fn path(self) -> &'static str {
        match self {
            Notice::Win => "/n/win/",
            Notice::Bill => "/n/bill/",
            Notice::Loss => "/n/loss/",
            Notice::Imp => "/n/imp/",
        }
    }

    /// The macros that the exchange fills (OpenRTB 2.6 §4.4).
    pub(super) fn macros(self) -> &'static str {
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
    /// A call from the markup. Ready VAST documents may have no element for it.
    pub in_markup: bool,
}

impl Bills {
    /// The notices that bill an ad at an SSP. `is_linear`: the ad is video or audio. `win_taken`, `bill_taken`: whether the
    /// campaign has its own `nurl` and `burl`. If that takes the place of the notice that bills, the markup calls one of ours.
    pub fn of(billing: Billing, is_linear: bool, win_taken: bool, bill_taken: bool) -> Bills {
        let (by_burl, in_markup) = match billing {
            Billing::OpenRtb => (!is_linear, is_linear),
            Billing::Burl => (true, false),
            Billing::Impression => (false, true),
            Billing::Both => (true, true),
            Billing::Win => (false, false),
        };
        let win = (billing == Billing::Win).then_some(win_taken);
        let burl = by_burl.then_some(bill_taken);
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
