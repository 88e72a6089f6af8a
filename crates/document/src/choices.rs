//! The texts that an attribute of a catalog may have, if there are only a few: what each stands for, and its meaning.
//!
//! As with the compiler's `meanings.rs`, a doc comment in `lib.rs` names a list, and the schema is made from that.

use crate::check::unknown;
use crate::decode::{Attribute, Context, Json, Rule};
use catalog::{Auction, Billing, CapOn, Codec, Costs, Floors, Per, PriceMissing, SellerType};
use consent::LegalBasis;
use reasons::kind;

/// A channel: its bit in [`kind::CHANNELS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channel(pub i64);

/// A notice that an SSP may not call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uncalled {
    /// `nurl`.
    Nurl,
    /// `lurl`.
    Lurl,
}

/// What an SSP has decided about a creative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// It may be shown.
    Approved,
    /// The SSP has not decided yet.
    Pending,
    /// It may not be shown.
    Disapproved,
}

/// How much the files of publishers must say about a seller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Authorised {
    /// They must not refuse it.
    #[default]
    Known,
    /// They must authorise it.
    Require,
}

/// How a budget is spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pacing {
    /// Evenly.
    #[default]
    Even,
    /// As soon as possible.
    Asap,
}

/// As whom frequency caps know a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CapPerson {
    /// By an id.
    #[default]
    Id,
    /// Without an id, by the address of a household's television.
    Household,
}

/// In which order creatives are tried.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rotation {
    /// By chance.
    #[default]
    Random,
    /// In the order of the campaign.
    Sequence,
}

/// The profile of an exchange. `profiles.rs` reads the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExchangeProfile {
    /// Its name in catalogs.
    pub name: &'static str,
    /// The text of its file.
    pub file: &'static str,
}

macro_rules! profile {
    ($name:literal) => {
        ExchangeProfile { name: $name, file: include_str!(concat!("../../../integrations/exchanges/", $name, ".json")) }
    };
}

/// Makes types attributes with a few texts, each with its value and its meaning, which only the schema has.
macro_rules! choices {
    ($(
        $type:ident $list:literal { $first:literal = $first_value:expr, $first_meaning:literal;
            $($text:literal = $value:expr, $meaning:literal;)* }
    )*) => {$(
        impl Attribute for $type {
            const EXPECTED: &'static str = concat!("one of ", $first, $(", ", $text),*);
            const EXPECTED_LIST: &'static str = concat!("an array of ", $first, $(", ", $text),*);

            fn decode(value: Json, cx: &mut Context) -> Option<Self> {
                let Json::Text(text) = value else {
                    return cx.ignored(&value, Self::EXPECTED);
                };
                match text.as_str() {
                    $first => Some($first_value),
                    $($text => Some($value),)*
                    _ => {
                        let names = [$first, $($text),*];
                        cx.report(Rule::Unknown, format_args!("{}", unknown(&text, &names, Self::EXPECTED)));
                        None
                    }
                }
            }
        }
    )*};
}

choices! {
    Channel "Channels" {
        "site" = Channel(kind::SITE), "a website";
        "app" = Channel(kind::APP), "an app";
        "dooh" = Channel(kind::DOOH), "a screen out of home";
    }

    LegalBasis "Legal Bases" {
        "consent" = LegalBasis::Consent, "consent";
        "legitimate-interest" = LegalBasis::LegitimateInterest, "legitimate interest";
        "flexible-consent" = LegalBasis::FlexibleConsent,
            "consent; the publisher may ask for legitimate interest instead";
        "flexible-interest" = LegalBasis::FlexibleInterest,
            "legitimate interest; the publisher may ask for consent instead";
        "either" = LegalBasis::Either, "consent or legitimate interest";
    }

    ExchangeProfile "Exchange Profiles" {
        "google" = profile!("google"), "Google Authorized Buyers";
        "index" = profile!("index"), "Index Exchange";
        "xandr" = profile!("xandr"), "Xandr (Microsoft Monetize)";
        "openx" = profile!("openx"), "OpenX";
        "pubmatic" = profile!("pubmatic"), "PubMatic";
        "magnite" = profile!("magnite"), "Magnite";
        "bidswitch" = profile!("bidswitch"), "BidSwitch";
        "smaato" = profile!("smaato"), "Smaato";
        "unity" = profile!("unity"), "Unity";
        "equativ" = profile!("equativ"), "Equativ";
        "prebid-server" = profile!("prebid-server"), "Prebid Server";
    }

    Auction "Auctions" {
        "request" = Auction::Request, "what at of the request and of the deal say";
        "first" = Auction::First, "first-price, whatever at says; a deal's fixed price stays";
    }

    Floors "Floors" {
        "specific" = Floors::Specific, "mincpmpersec and durfloors go before bidfloor, as OpenRTB has it";
        "highest" = Floors::Highest, "the highest of them";
    }

    Approval "Approvals" {
        "approved" = Approval::Approved, "bids may have the creative";
        "pending" = Approval::Pending, "the SSP has not decided yet: no bids with the creative";
        "disapproved" = Approval::Disapproved, "no bids with the creative";
    }

    Authorised "Authorised Sellers" {
        "known" = Authorised::Known, "the files must not refuse the seller";
        "require" = Authorised::Require, "the files must authorise the seller";
    }

    SellerType "Seller Types" {
        "publisher" = SellerType::Publisher, "sells what it owns";
        "intermediary" = SellerType::Intermediary, "sells what others own";
        "both" = SellerType::Both, "does both";
    }

    Uncalled "Uncalled Notices" {
        "nurl" = Uncalled::Nurl, "the notice that the bid has won";
        "lurl" = Uncalled::Lurl, "the notice that the bid has lost";
    }

    Billing "Billing Notices" {
        "openrtb" = Billing::OpenRtb, "burl for banners and native ads, impression for video and audio";
        "burl" = Billing::Burl, "burl";
        "impression" = Billing::Impression, "the VAST Impression, the native tracker, or a pixel in the banner";
        "both" = Billing::Both, "burl and impression, of which the first counts";
        "win" = Billing::Win, "nurl: the SSP bills each win";
    }

    Costs "Booked Prices" {
        "notice" = Costs::Notice,
            "the price in the notice; a plain price that the markup calls is not believed, and the bid is booked";
        "bid" = Costs::Bid, "the price of the bid; the price in the notice is only compared";
    }

    PriceMissing "Missing Prices" {
        "nothing" = PriceMissing::Nothing, "nothing is booked";
        "bid" = PriceMissing::Bid, "the price of the bid is booked, marked as assumed";
    }

    Codec "Price Codecs" {
        "plain" = Codec::Plain, "a decimal number";
        "google" = Codec::Google, "Google: micros for a thousand impressions, masked and signed";
        "index" = Codec::Google, "Index Exchange: as Google";
        "bidswitch" = Codec::Google, "BidSwitch: as Google";
        "openx" = Codec::OpenX, "OpenX: micros for one impression, masked and signed";
        "magnite" = Codec::Magnite, "Magnite: Blowfish, in hexadecimal digits";
        "unity" = Codec::Unity, "Unity: Blowfish, in base64url";
    }

    Pacing "Pacing" {
        "even" = Pacing::Even, "evenly over the day, as the curve says";
        "asap" = Pacing::Asap, "as soon as possible";
    }

    Rotation "Rotations" {
        "random" = Rotation::Random, "drawn for each request, by weight";
        "sequence" = Rotation::Sequence, "in the order of creatives";
    }

    CapPerson "Cap Persons" {
        "id" = CapPerson::Id, "by an id of the person or the device";
        "household" = CapPerson::Household, "without an id, by the address of a connected TV or set-top box";
    }

    Per "Cap Periods" {
        "hour" = Per::Hour, "the last hour";
        "day" = Per::Day, "the last 24 hours";
        "week" = Per::Week, "the last 7 days";
        "lifetime" = Per::Lifetime, "until 180 days after the last impression";
    }

    CapOn "Cap Counts" {
        "bill" = CapOn::Bill, "billed impressions";
        "bid" = CapOn::Bid, "all bids, so that the limit is never exceeded";
    }
}
