//! The privacy signals of a request, one by one: what each one said, and what it allows a bid to use.

use super::privacy::lacks;
use super::tree::{Tree, text};
use consent::{self, Lacking, Settings, Signal, Verdict};
use openrtb::request::Request;

/// A signal that the request has.
pub(super) struct Statement {
    /// Its usual path.
    pub(super) signal: &'static str,
    /// Its value as text, the start of a long one.
    pub(super) said: String,
    /// What it means for a bid, in words.
    pub(super) means: String,
    /// Where it is in the request.
    pub(super) at: Vec<String>,
}

/// The signals, each with the paths where a request may have it.
const SIGNALS: &[(&str, Signal, &[&str])] = &[
    ("regs.coppa", Signal::Coppa, &["regs.coppa"]),
    ("regs.gpc", Signal::Gpc, &["regs.gpc", "regs.ext.gpc"]),
    ("device.lmt", Signal::Lmt, &["device.lmt"]),
    ("device.ext.atts", Signal::Atts, &["device.ext.atts"]),
    ("device.dnt", Signal::Dnt, &["device.dnt"]),
    ("dooh", Signal::Screen, &["dooh"]),
    ("device.devicetype", Signal::Screen, &["device.devicetype"]),
    ("regs.us_privacy", Signal::UsPrivacy, &["regs.us_privacy", "regs.ext.us_privacy"]),
    ("regs.gpp", Signal::Gpp, &["regs.gpp", "regs.ext.gpp"]),
    ("regs.gpp_sid", Signal::Gpp, &["regs.gpp_sid", "regs.ext.gpp_sid"]),
    ("regs.gdpr", Signal::Gdpr, &["regs.gdpr", "regs.ext.gdpr"]),
    ("user.consent", Signal::Gdpr, &["user.consent", "user.ext.consent"]),
];

/// The characters of a consent string that are shown.
const SHOWN: usize = 60;

/// The signals that a request has.
pub(super) fn of(tree: &Tree, request: &Request<'_>, settings: &Settings) -> Vec<Statement> {
    let verdicts = consent::signals(request, settings);
    let said = |&(name, signal, paths): &(&'static str, Signal, &[&str])| {
        let at: Vec<String> =
            paths.iter().filter(|path| tree.get(path).is_some()).map(|&path| path.to_owned()).collect();
        let mut said: Vec<String> =
            at.iter().filter_map(|path| Some(text(tree.get(path)?).chars().take(SHOWN).collect())).collect();
        said.dedup();
        let said = if said.is_empty() { return None } else { said.join(" and ") };
        let (_, verdict) = verdicts.iter().find(|(known, _)| *known == signal)?;
        let means = match (name, signal) {
            // Other types of device say nothing about privacy.
            ("device.devicetype", _) if *verdict == FREE || request.dooh.is_some() => return None,
            ("dooh" | "device.devicetype", _) => format!("a screen that many people see: {}", forbids(*verdict)),
            ("user.consent", _) => consent(request, settings, *verdict),
            (_, Signal::Gdpr) => gdpr(request, settings, *verdict),
            (_, Signal::Gpp) => gpp(request, *verdict),
            _ => forbids(*verdict).to_owned(),
        };
        Some(Statement { signal: name, said, means, at })
    };
    SIGNALS.iter().filter_map(said).collect()
}

/// Nothing is forbidden.
pub(super) const FREE: Verdict = Verdict::Personal { precise_geo: true };

fn forbids(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::None => "forbids every bid",
        Verdict::Contextual => "forbids ids, segments and the precise location",
        Verdict::Personal { precise_geo: false } => "forbids the precise location",
        Verdict::Personal { precise_geo: true } => "forbids nothing",
    }
}

fn gdpr(request: &Request<'_>, settings: &Settings, verdict: Verdict) -> String {
    match (consent::gdpr_applies(request, settings), request.regs.gdpr) {
        (false, _) => "GDPR does not apply: forbids nothing".into(),
        (true, Some(true)) => format!("GDPR applies; {}", strings(request, settings, verdict)),
        (true, _) => format!("GDPR applies by another signal; {}", strings(request, settings, verdict)),
    }
}

fn consent(request: &Request<'_>, settings: &Settings, verdict: Verdict) -> String {
    if consent::gdpr_applies(request, settings) {
        strings(request, settings, verdict)
    } else {
        "not read, because GDPR does not apply".into()
    }
}

/// What the TCF strings of a request under GDPR leave.
fn strings(request: &Request<'_>, settings: &Settings, verdict: Verdict) -> String {
    let why = match consent::lacking(request, settings) {
        Lacking::Purposes if verdict == FREE => "the TCF string grants everything".into(),
        Lacking::Purposes if verdict.allows_bid() => "the TCF string does not grant everything".into(),
        Lacking::Purposes => "the TCF string does not grant what a bid needs".into(),
        lacking => lacks(lacking, settings),
    };
    format!("{why}: {}", forbids(verdict))
}

fn gpp(request: &Request<'_>, verdict: Verdict) -> String {
    let mut ids = request.regs.gpp_sid.iter().chain(request.regs.ext_gpp_sid);
    let has_tcf = ids.clone().any(|id| [1, 2].contains(id));
    match (ids.any(|id| *id > 0), has_tcf) {
        (false, _) => "gpp_sid lists no section that applies: forbids nothing".into(),
        (true, false) => format!("the sections in gpp_sid: {}", sections(verdict)),
        (true, true) => {
            format!("section 1 or 2 says that GDPR applies; the other sections in gpp_sid: {}", sections(verdict))
        }
    }
}

fn sections(verdict: Verdict) -> String {
    let unread = if verdict == FREE { "" } else { ", or cannot be read" };
    format!("{}{unread}", forbids(verdict))
}
