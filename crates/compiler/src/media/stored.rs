//! The values of the rows in [`creatives`](mod@reasons::creatives) that name a stored object: taken from the document. The
//! callers fill in what is computed, or has a default other than 0 (`linearity`, `delivery`).

use catalog::{BannerDraft, CreativeDraft, LinearDraft, MediaFileDraft};
use document::{BannerEntry, CreativeEntry, LinearEntry, MediaEntry};

/// A value of the document as it is stored.
trait ToStored<T> {
    fn to_stored(&self) -> T;
}

impl<T: Clone> ToStored<T> for T {
    fn to_stored(&self) -> T {
        self.clone()
    }
}

/// Unknown is 0 or empty.
impl<T: Clone + Default> ToStored<T> for Option<T> {
    fn to_stored(&self) -> T {
        self.clone().unwrap_or_default()
    }
}

macro_rules! stored {
    (creative { $($(#[$_doc:meta])* $_reason:ident = $_text:literal $(($_nbr:literal))?:
        $_words:tt $_paths:tt $rule:tt,)* }) => {
        pub(super) fn creative(entry: &CreativeEntry) -> CreativeDraft {
            let mut draft = CreativeDraft::default();
            $(stored!(@creative $rule draft entry);)*
            draft
        }

        pub(super) fn banner(entry: &BannerEntry) -> BannerDraft {
            let mut draft = BannerDraft::default();
            $(stored!(@banner $rule draft entry);)*
            draft
        }

        pub(super) fn linear(entry: &LinearEntry) -> LinearDraft {
            let mut draft = LinearDraft::default();
            $(stored!(@linear $rule draft entry);)*
            draft
        }

        pub(super) fn file(entry: &MediaEntry) -> MediaFileDraft {
            let mut draft = MediaFileDraft::default();
            $(stored!(@file $rule draft entry);)*
            draft
        }
    };
    (@creative {$_form:ident creative . $name:ident, $($_offered:tt)*} $draft:ident $entry:ident) => {
        $draft.$name = $entry.$name.to_stored();
    };
    (@banner {$_form:ident banner . $name:ident, $($_offered:tt)*} $draft:ident $entry:ident) => {
        $draft.$name = $entry.$name.to_stored();
    };
    (@linear {$_form:ident linear . $name:ident, $($_offered:tt)*} $draft:ident $entry:ident) => {
        $draft.$name = $entry.$name.to_stored();
    };
    (@file {$_form:ident file . $name:ident, $($_offered:tt)*} $draft:ident $entry:ident) => {
        $draft.$name = $entry.$name.to_stored();
    };
    (@$_object:ident $_rule:tt $_draft:ident $_entry:ident) => {};
}

reasons::creatives!(stored);
