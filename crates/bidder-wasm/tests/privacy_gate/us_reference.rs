//! The reference verdict on a US section: the fields as `iab_gpp` reads them, and the rules of the gate.

use bidder_wasm::privacy::Verdict;
use iab_gpp::sections;
use iab_gpp::sections::us_common::{Consent, MspaMode, Notice, OptOut};

use crate::{FREE, NO_PRECISE_GEO};

/// The fields of a section that matter.
struct Section<'a> {
    /// Notices of the opt-outs below, in any order.
    notices: Vec<&'a Notice>,
    opt_outs: Vec<&'a OptOut>,
    children: Vec<&'a Consent>,
    service_provider: &'a MspaMode,
    precise_geo: bool,
    gpc: bool,
}

impl Section<'_> {
    fn verdict(&self) -> Verdict {
        let refused = self.notices.contains(&&Notice::NotProvided)
            || self.opt_outs.contains(&&OptOut::OptedOut)
            || self.children.iter().any(|consent| **consent != Consent::NotApplicable)
            || *self.service_provider == MspaMode::Yes
            || self.gpc;
        match (refused, self.precise_geo) {
            (true, _) => Verdict::Contextual,
            (false, true) => FREE,
            (false, false) => NO_PRECISE_GEO,
        }
    }
}

/// Reads a section, or returns a contextual verdict from the calling function.
macro_rules! read {
    ($text:expr, $module:ident :: $section:ident) => {{
        let Ok(section) = $text.parse::<sections::$module::$section>() else { return Verdict::Contextual };
        section
    }};
}

/// The verdict on a core segment: the opt-out of sale and the named opt-outs with their notices, the fields on
/// children, consent to precise location, and GPC.
macro_rules! judge {
    ($core:expr, [$($out:ident, $notice:ident);*], children, $geo:expr, $gpc:expr) => {
        judge!(@ $core, [$($out, $notice);*], vec![&$core.known_child_sensitive_data_consents], $geo, $gpc)
    };
    ($core:expr, [$($out:ident, $notice:ident);*], [$($child:ident)*], $geo:expr, $gpc:expr) => {
        judge!(
            @ $core,
            [$($out, $notice);*],
            vec![$(&$core.known_child_sensitive_data_consents.$child),*],
            $geo,
            $gpc
        )
    };
    (@ $core:expr, [$($out:ident, $notice:ident);*], $children:expr, $geo:expr, $gpc:expr) => {
        Section {
            notices: vec![&$core.sale_opt_out_notice, $(&$core.$notice),*],
            opt_outs: vec![&$core.sale_opt_out, $(&$core.$out),*],
            children: $children,
            service_provider: &$core.mspa_service_provider_mode,
            precise_geo: $geo,
            gpc: $gpc == Some(true),
        }
        .verdict()
    };
}

/// A state's section with opt-outs of sale and targeted advertising.
macro_rules! state {
    ($text:expr, $module:ident :: $section:ident, $children:tt) => {
        state!($text, $module::$section, $children, precise_geolocation_data, |section| section.gpc)
    };
    ($text:expr, $module:ident :: $section:ident, $children:tt, $geo:ident, $gpc:expr) => {{
        let section = read!($text, $module::$section);
        let core = &section.core;
        let gpc: fn(&sections::$module::$section) -> Option<bool> = $gpc;
        judge!(
            core,
            [targeted_advertising_opt_out, targeted_advertising_opt_out_notice],
            $children,
            core.sensitive_data_processing.$geo == Consent::Consent,
            gpc(&section)
        )
    }};
}

macro_rules! national {
    ($core:expr, $children:tt, $gpc:expr) => {
        judge!(
            $core,
            [sharing_opt_out, sharing_opt_out_notice;
             targeted_advertising_opt_out, targeted_advertising_opt_out_notice],
            $children,
            $core.sensitive_data_processing.precise_geolocation_data == Consent::Consent,
            $gpc
        )
    };
}

/// The verdict by the reference; contextual if it cannot read the section.
pub(crate) fn reference(id: u32, text: &str) -> Verdict {
    match id {
        7 => national(text),
        8 => california(text),
        9 => state!(text, usva::UsVa, children, precise_geolocation_data, |_| None),
        10 => colorado(text),
        11 => state!(text, usut::UsUt, children, specific_geolocation_data, |_| None),
        12 => state!(text, usct::UsCt, [process_sensitive_data_from_known_child sell_personal_data_from_13_to_16
            process_personal_data_from_13_to_16]),
        13 => state!(text, usfl::UsFl, [under_13 from_13_to_16 from_16_to_18], precise_geolocation_data, |_| None),
        14 => state!(text, usmt::UsMt, [process_sensitive_data_from_known_child sell_personal_data_from_13_to_16
            process_personal_data_from_13_to_16]),
        15 => state!(text, usor::UsOr, [process_sensitive_data_from_known_child sell_personal_data_from_13_to_16
            process_personal_data_from_13_to_16]),
        16 => state!(text, ustx::UsTx, children),
        17 => state!(text, usde::UsDe, [process_sensitive_data_from_known_child sell_personal_data_from_13_to_16
            process_personal_data_from_13_to_16 sell_personal_data_from_16_to_18 process_personal_data_from_16_to_18]),
        18 => state!(text, usia::UsIa, children),
        19 => state!(text, usne::UsNe, children),
        20 => state!(text, usnh::UsNh, [process_sensitive_data_from_known_child sell_personal_data_from_13_to_16
            process_personal_data_from_13_to_16]),
        21 => state!(text, usnj::UsNj, [process_sensitive_data_from_known_child sell_personal_data_from_13_to_16
            process_personal_data_from_13_to_16 sell_personal_data_from_16_to_17 process_personal_data_from_16_to_17]),
        22 => state!(text, ustn::UsTn, children),
        23 => state!(text, usmn::UsMn, children),
        _ => unreachable!("a section that the layouts do not have"),
    }
}

fn national(text: &str) -> Verdict {
    let section = read!(text, usnat::UsNat);
    match &section.core {
        sections::usnat::Core::V1(core) => national!(core, [from_13_to_16 under_13], section.gpc),
        sections::usnat::Core::V2(core) => national!(
            core,
            [process_sensitive_data_from_13_to_16 process_sensitive_data_under_13 process_personal_data_from_16_to_17],
            section.gpc
        ),
        _ => unreachable!("a version that the layouts do not have"),
    }
}

/// California has opt-outs of sale and sharing, and an opt-out of sensitive data where other states ask for consent.
fn california(text: &str) -> Verdict {
    let section = read!(text, usca::UsCa);
    let core = &section.core;
    judge!(
        core,
        [sharing_opt_out, sharing_opt_out_notice],
        [sell_personal_information share_personal_information],
        core.sensitive_data_processing.precise_geolocation == OptOut::DidNotOptOut,
        section.gpc
    )
}

/// Colorado has no category for precise location.
fn colorado(text: &str) -> Verdict {
    let section = read!(text, usco::UsCo);
    let core = &section.core;
    judge!(core, [targeted_advertising_opt_out, targeted_advertising_opt_out_notice], children, true, section.gpc)
}
