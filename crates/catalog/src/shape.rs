//! What the index and the checks compare: the size of a banner, and the parts of a native ad.

use flat::{fingerprint, stored_as};

/// The size of a banner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// Width and height in density-independent pixels.
    Fixed {
        /// Width.
        w: i64,
        /// Height.
        h: i64,
    },
    /// A flexible banner: any width from `wmin` on, with a fixed ratio.
    Ratio {
        /// Width of the ratio.
        wratio: i64,
        /// Height of the ratio.
        hratio: i64,
        /// Least width.
        wmin: i64,
    },
}

impl Default for Shape {
    fn default() -> Shape {
        Shape::Fixed { w: 0, h: 0 }
    }
}

stored_as!(
    Shape,
    ((bool, i64), (i64, i64)),
    fingerprint(0, "fixed w h, ratio w h wmin"),
    |shape| match shape {
        Shape::Fixed { w, h } => ((true, w), (h, 0)),
        Shape::Ratio { wratio, hratio, wmin } => ((false, wratio), (hratio, wmin)),
    },
    |((is_fixed, w), (h, wmin))| if is_fixed {
        Shape::Fixed { w, h }
    } else {
        Shape::Ratio { wratio: w, hratio: h, wmin }
    }
);

/// What decides which assets a part of a native ad can answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NativePart {
    /// The title.
    Title {
        /// Length in characters.
        len: i64,
    },
    /// A picture.
    Img {
        /// 1 = icon, 3 = main image.
        kind: i64,
        /// Width in pixels.
        w: i64,
        /// Height in pixels.
        h: i64,
    },
    /// A text.
    Data {
        /// Its data asset type.
        kind: i64,
        /// Length in characters.
        len: i64,
    },
    /// The video.
    Video,
}

stored_as!(
    NativePart,
    ((u8, i64), (i64, i64)),
    fingerprint(0, "title len, img kind w h, data kind len, video"),
    |part| match part {
        NativePart::Title { len } => ((0, 0), (len, 0)),
        NativePart::Img { kind, w, h } => ((1, kind), (w, h)),
        NativePart::Data { kind, len } => ((2, kind), (len, 0)),
        NativePart::Video => ((3, 0), (0, 0)),
    },
    |((part, kind), (first, second))| match part {
        0 => NativePart::Title { len: first },
        1 => NativePart::Img { kind, w: first, h: second },
        2 => NativePart::Data { kind, len: first },
        _ => NativePart::Video,
    }
);
