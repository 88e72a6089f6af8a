//! What the numbers in a catalog mean: the lists of AdCOM 1.0 and of other specifications.
//!
//! A doc comment in `crates/document/src/lib.rs` names a list as `list "Device Types"`. The schema and `docs/attributes.md` are made
//! from that, so editors show the meanings. Values that are not in their list get a note.

/// A list of values, each with its meaning.
#[derive(Debug, Clone, Copy)]
pub struct Meanings {
    name: &'static str,
    known: &'static [(i64, &'static str)],
    /// All values from this one on are allowed too.
    others: i64,
}

impl Meanings {
    /// The meaning of a value; `None` if the list does not name it.
    #[must_use]
    pub fn of(&self, value: i64) -> Option<&'static str> {
        self.known.iter().find(|(known, _)| *known == value).map(|(_, meaning)| *meaning)
    }

    /// Whether the list names the value, or others define it.
    fn allows(&self, value: i64) -> bool {
        value >= self.others || self.of(value).is_some()
    }

    /// What a note says of a value that the list does not have.
    pub(super) fn unlisted(&self, value: i64) -> Option<String> {
        let message = || format!("{value} is not in the list {:?}; expected {}", self.name, self.range());
        (!self.allows(value)).then(message)
    }

    /// The values in words: `1 to 8`.
    fn range(&self) -> String {
        let values = || self.known.iter().map(|(value, _)| *value);
        let (least, most) = (values().min().unwrap_or_default(), values().max().unwrap_or_default());
        if (least..=most).all(|value| self.of(value).is_some()) {
            format!("{least} to {most}")
        } else {
            format!("one of {}", values().map(|value| value.to_string()).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Declares lists: the name of the list in its specification, which is AdCOM 1.0 unless `of` names another one, the
/// targeting attributes that have its values, and its values. `or exchange_specific` also allows values from 500 on,
/// whose meanings an exchange defines; `or higher` also allows all higher values. Only the schema has specifications.
macro_rules! meanings {
    ($(
        $(#[$doc:meta])*
        $list:ident $name:literal $(of $_source:literal)? $(for $target:ident $(and $other:ident)*)? $(or $others:ident)?
        { $($value:literal, $meaning:literal;)* }
    )*) => {
        $(
            $(#[$doc])*
            pub const $list: Meanings = Meanings {
                name: $name,
                known: &[$(($value, $meaning)),*],
                others: meanings!(@others $($others)?),
            };
        )*

        /// The list of a targeting attribute; `None` if its numbers are no codes.
        #[must_use]
        pub fn of_target(attribute: &str) -> Option<&'static Meanings> {
            $($(if [stringify!($target) $(, stringify!($other))*].contains(&attribute) {
                return Some(&$list);
            })?)*
            None
        }
    };
    (@others) => { i64::MAX };
    (@others exchange_specific) => { 500 };
    (@others higher) => { 1 };
}

meanings! {
    /// `devicetype`.
    DEVICE_TYPES "Device Types" for devicetype {
        1, "mobile or tablet";
        2, "personal computer";
        3, "connected TV";
        4, "phone";
        5, "tablet";
        6, "connected device";
        7, "set-top box";
        8, "out-of-home device";
    }

    /// `connectiontype`.
    CONNECTION_TYPES "Connection Types" for connectiontype {
        1, "Ethernet, wired";
        2, "Wi-Fi";
        3, "cellular network of unknown generation";
        4, "cellular network, 2G";
        5, "cellular network, 3G";
        6, "cellular network, 4G";
        7, "cellular network, 5G";
    }

    /// `mm`.
    ID_MATCH_METHODS "ID Match Methods" for mm or exchange_specific {
        0, "unknown";
        1, "not matched: the id comes from a third-party cookie or from the operating system";
        2, "browser cookie sync";
        3, "authenticated, such as by a login";
        4, "observed by the publisher itself, without authentication";
        5, "inferred from other browsers or devices";
    }

    /// `pos`.
    PLACEMENT_POSITIONS "Placement Positions" for pos {
        0, "unknown";
        1, "above the fold";
        2, "locked: a fixed position";
        3, "below the fold";
        4, "header";
        5, "footer";
        6, "sidebar";
        7, "full screen";
        8, "partial screen";
        9, "top left";
        10, "top right";
        11, "frame around the content";
        12, "double box";
        13, "double box with background";
        14, "bottom left";
        15, "bottom right";
        16, "L shape";
        17, "reversed L shape";
    }

    /// `plcmt`.
    PLCMT_SUBTYPES "Plcmt Subtypes - Video" for plcmt {
        1, "instream: before, during or after video that the person asked for, with sound";
        2, "accompanying content: in a player between texts or pictures";
        3, "interstitial: without video content, over most of the screen";
        4, "no content: without video content, such as in a feed";
        5, "pause: while the content is paused";
        6, "screensaver";
        7, "overlay: over the content, outside of a break";
        8, "squeezeback: beside the content, which becomes smaller";
        9, "in-scene: within the content itself";
    }

    /// `startdelay`.
    START_DELAY_MODES "Start Delay Modes" for startdelay or higher {
        -2, "post-roll";
        -1, "mid-roll";
        0, "pre-roll";
    }

    /// `sourcetype`.
    MULTIPLIER_SOURCES "DOOH Multiplier Measurement Source Types" for sourcetype {
        0, "unknown";
        1, "measurement vendor";
        2, "publisher";
        3, "exchange";
    }

    /// `playbackmethod`.
    PLAYBACK_METHODS "Playback Methods" for playbackmethod {
        1, "starts by itself, with sound";
        2, "starts by itself, without sound";
        3, "starts on click, with sound";
        4, "starts on mouse-over, with sound";
        5, "starts on entering the viewport, with sound";
        6, "starts on entering the viewport, without sound";
        7, "continuous: further media play without a click";
        8, "starts when the person pauses the content, with sound";
        9, "starts when the person pauses the content, without sound";
        10, "starts when the device is idle, with sound";
        11, "starts when the device is idle, without sound";
    }

    /// `podseq`.
    POD_SEQUENCE "Pod Sequence" for podseq {
        -1, "last pod of the content";
        0, "any pod of the content";
        1, "first pod of the content";
    }

    /// `slotinpod`.
    SLOT_POSITION_IN_POD "Slot Position in Pod" for slotinpod {
        -1, "last ad of the pod";
        0, "any ad of the pod";
        1, "first ad of the pod";
        2, "first or last ad of the pod";
    }

    /// `attr`.
    CREATIVE_ATTRIBUTES "Creative Attributes" or exchange_specific {
        1, "audio ad, plays by itself";
        2, "audio ad, started by the person";
        3, "expands by itself";
        4, "expands on click";
        5, "expands on rollover";
        6, "video in a banner, plays by itself";
        7, "video in a banner, started by the person";
        8, "pop: over, under, or on exit";
        9, "provocative or suggestive imagery";
        10, "shaking, flashing, flickering, extreme animation, smileys";
        11, "survey";
        12, "text only";
        13, "interactive, such as an embedded game";
        14, "style of a window, dialog or alert";
        15, "has a button for sound";
        16, "shows a skip button";
        17, "Adobe Flash";
        18, "responsive: adapts its size";
        19, "contains a QR code of the advertiser";
        20, "supports transparency";
        21, "static: no visible motion";
        22, "limited motion";
        23, "full-motion video";
    }

    /// `api`.
    API_FRAMEWORKS "API Frameworks" or exchange_specific {
        1, "VPAID 1.0";
        2, "VPAID 2.0";
        3, "MRAID 1.0";
        4, "ORMMA";
        5, "MRAID 2.0";
        6, "MRAID 3.0";
        7, "OMID 1.0";
        8, "SIMID 1.0";
        9, "SIMID 1.1";
    }

    /// `protocol`.
    CREATIVE_SUBTYPES "Creative Subtypes - Audio/Video" {
        1, "VAST 1.0";
        2, "VAST 2.0";
        3, "VAST 3.0";
        4, "VAST 1.0 wrapper";
        5, "VAST 2.0 wrapper";
        6, "VAST 3.0 wrapper";
        7, "VAST 4.0";
        8, "VAST 4.0 wrapper";
        9, "DAAST 1.0";
        10, "DAAST 1.0 wrapper";
        11, "VAST 4.1";
        12, "VAST 4.1 wrapper";
        13, "VAST 4.2";
        14, "VAST 4.2 wrapper";
        15, "VAST 4.3";
        16, "VAST 4.3 wrapper";
    }

    /// `linearity`.
    LINEARITY_MODES "Linearity Modes" {
        1, "linear";
        2, "non-linear: an overlay";
    }

    /// `delivery`.
    DELIVERY_METHODS "Delivery Methods" {
        1, "streaming";
        2, "progressive";
        3, "download";
    }

    /// `expdir`.
    EXPANDABLE_DIRECTIONS "Expandable Directions" {
        1, "left";
        2, "right";
        3, "up";
        4, "down";
        5, "full screen";
        6, "becomes smaller";
    }

    /// `btype`.
    BANNER_AD_TYPES "Banner Ad Types" of "OpenRTB 2.6, §3.2.6" {
        1, "XHTML text";
        2, "XHTML banner";
        3, "JavaScript";
        4, "iframe";
    }

    /// `type` of a native image.
    NATIVE_IMAGE_TYPES "Native Image Asset Types" or exchange_specific {
        1, "icon";
        3, "main image";
    }

    /// `type` of a native text.
    NATIVE_DATA_TYPES "Native Data Asset Types" or exchange_specific {
        1, "sponsored: the brand that sponsors";
        2, "desc: a description";
        3, "rating: a number from 0 to 5";
        4, "likes: the number of likes";
        5, "downloads: the number of downloads";
        6, "price, with its currency";
        7, "saleprice: a reduced price, with its currency";
        8, "phone: a phone number";
        9, "address";
        10, "desc2: a further description";
        11, "displayurl: the URL to show";
        12, "ctatext: a call to action, such as the text of a button";
    }

    /// `cattax`.
    CATEGORY_TAXONOMIES "Category Taxonomies" for gtax or exchange_specific {
        1, "IAB Content Category Taxonomy 1.0 (deprecated)";
        2, "IAB Content Category Taxonomy 2.0 (deprecated)";
        3, "IAB Ad Product Taxonomy 1.0";
        4, "IAB Audience Taxonomy 1.1";
        5, "IAB Content Taxonomy 2.1";
        6, "IAB Content Taxonomy 2.2";
        7, "IAB Content Taxonomy 3.0";
        8, "IAB Ad Product Taxonomy 2.0";
        9, "IAB Content Taxonomy 3.1";
    }

    /// `venuetypetax`.
    VENUE_TAXONOMIES "DOOH Venue Taxonomies" or exchange_specific {
        0, "AdCOM DOOH Venue Types (deprecated)";
        1, "OpenOOH Venue Taxonomy 1.0";
        2, "DPAA Device Venue Types";
        3, "DMI Categorization of Venues 1.1";
        4, "OMA taxonomy of January 2022";
        5, "OpenOOH Venue Taxonomy 1.1";
    }

    /// `purpose`.
    TCF_PURPOSES "TCF Purposes" of "TCF Policies 4, Appendix A" {
        1, "store or access information on a device";
        2, "use limited data to select advertising";
        3, "create profiles for personalised advertising";
        4, "use profiles to select personalised advertising";
        5, "create profiles to personalise content";
        6, "use profiles to select personalised content";
        7, "measure advertising performance";
        8, "measure content performance";
        9, "understand audiences through statistics or combinations of data";
        10, "develop and improve services";
        11, "use limited data to select content";
    }

    /// `adrender`.
    DSA_RENDERING "DSA Rendering" of "IAB community extension dsa_transparency" {
        0, "the publisher shows the information";
        1, "the ad shows the information";
    }

    /// `dsaparams`.
    DSA_PARAMETERS "DSA Parameters" of "IAB community extension dsa_transparency" {
        1, "profiling";
        2, "basic advertising";
        3, "precise location";
    }

    /// `days`.
    DAYS "Days of the Week" of "ISO 8601" {
        1, "Monday";
        2, "Tuesday";
        3, "Wednesday";
        4, "Thursday";
        5, "Friday";
        6, "Saturday";
        7, "Sunday";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use document::TargetEntry;
    use document::decode::Object;
    use reasons::kind::{Kind, kind_of};
    use reasons::no_bid::NoBidReason;

    #[test]
    fn every_number_of_a_target_has_meanings() {
        let is_number = |reason: &NoBidReason| matches!(kind_of(*reason), Some(Kind::Number | Kind::Offset));
        let numbers = (0..=u8::MAX).filter_map(NoBidReason::of_number).filter(is_number);
        let mut checked = 0;
        for name in numbers.map(NoBidReason::as_str) {
            assert!(TargetEntry::ATTRIBUTES.iter().any(|attribute| attribute.wire == name), "{name}");
            assert!(of_target(name).is_some() || name == "episode", "{name}");
            checked += 1;
        }
        assert!(checked >= 8, "{checked}");
        assert_eq!((DEVICE_TYPES.of(4), DEVICE_TYPES.of(9)), (Some("phone"), None));
    }
}
