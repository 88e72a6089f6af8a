//! How an SSP bills: the choices of its settings for money.

use crate::flat::{Flat, Source, Writer, fingerprint};

/// Declares a setting with a few named values. The first name of a value is its usual one. A snapshot stores the
/// value's place in the list.
macro_rules! choice {
    (
        $(#[$meta:meta])*
        $name:ident { $($(#[$value_meta:meta])* $value:ident = $text:literal $(| $other:literal)*,)* }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub enum $name {
            $($(#[$value_meta])* $value,)*
        }

        impl $name {
            /// Every value.
            pub const ALL: &[$name] = &[$($name::$value),*];

            /// The value with this name.
            pub fn parse(name: &str) -> Option<$name> {
                match name {
                    $($text $(| $other)* => Some($name::$value),)*
                    _ => None,
                }
            }

            /// The value's usual name in catalogs.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$value => $text,)* }
            }
        }

        impl Flat for $name {
            type View<'s> = $name;
            const SIZE: usize = 1;
            const LAYOUT: u64 = fingerprint(0, concat!(stringify!($name), $(" ", $text),*));

            fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
                (*self as u8).write(out, record);
            }

            fn view(from: Source<'_>, at: usize) -> $name {
                $name::ALL.get(usize::from(u8::view(from, at))).copied().unwrap_or_default()
            }
        }
    };
}

pub(super) use choice;

choice! {
    /// How an exchange writes the price into a notice.
    Codec {
        /// A decimal number: the price per thousand impressions.
        #[default]
        Plain = "plain",
        /// Google's scheme: micros per thousand impressions, masked and signed. Index Exchange and `BidSwitch` use it
        /// too.
        Google = "google" | "index" | "bidswitch",
        /// Google's scheme with micros per impression.
        OpenX = "openx",
        /// Magnite's scheme: one Blowfish block, hexadecimal.
        Magnite = "magnite",
        /// Unity's scheme: Blowfish blocks, base64url.
        Unity = "unity",
    }
}

choice! {
    /// What the auctions of an SSP are.
    Auction {
        /// What `at` of the request and of the deal say.
        #[default]
        Request = "request",
        /// First-price, whatever `at` says.
        First = "first",
    }
}

choice! {
    /// Which of an impression's floors counts for a video or audio ad.
    Floors {
        /// `mincpmpersec` and `durfloors` go before `bidfloor`.
        #[default]
        Specific = "specific",
        /// The highest of them.
        Highest = "highest",
    }
}

choice! {
    /// Which notice of an SSP bills.
    Billing {
        /// What OpenRTB 2.6 advises: `burl` for banners and native ads, the VAST `<Impression>` for video and audio.
        #[default]
        OpenRtb = "openrtb",
        /// `burl`.
        Burl = "burl",
        /// The VAST `<Impression>`, the native tracker, or the pixel in a banner's markup.
        Impression = "impression",
        /// `burl` and the impression; the first of them counts.
        Both = "both",
        /// `nurl`: the SSP bills each win.
        Win = "win",
    }
}

choice! {
    /// What is booked for a billing notice without a price.
    PriceMissing {
        /// Nothing. The notice is counted.
        #[default]
        Nothing = "nothing",
        /// In a first-price auction the price of the bid, marked as assumed; else nothing.
        Bid = "bid",
    }
}

choice! {
    /// What an impression costs.
    Costs {
        /// The price in the notice, if it can be believed.
        #[default]
        Notice = "notice",
        /// The price of the bid.
        Bid = "bid",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flat::Laid;

    #[test]
    fn every_value_has_a_name_and_reads_back_from_a_snapshot() {
        macro_rules! checked {
            ($($name:ident)*) => {$(
                assert_eq!($name::ALL[0], $name::default());
                for value in $name::ALL {
                    assert_eq!($name::parse(value.as_str()), Some(*value));
                    assert_eq!(Laid::out(value).view(), *value);
                }
            )*};
        }
        checked!(Codec Auction Billing PriceMissing Costs);
        assert_eq!((Codec::parse("index"), Codec::parse("bidswitch")), (Some(Codec::Google), Some(Codec::Google)));
        assert_eq!((Codec::parse(""), Codec::parse("Google")), (None, None));
        assert_eq!(Codec::view(Source::new(&[200], ""), 0), Codec::Plain, "a damaged byte reads as the default");
    }
}
