//! The values of creatives in the rules of [`ROWS`], as keys of the index.

use catalog::index::{Key, number_key};
use catalog::{CampaignDraft, CreativeDraft};
use flat::Laid;
use reasons::no_bid::NoBidReason as R;
use rules::form::{Form, Value};
use rules::own::Own;
use rules::rows::{self, ROWS, Row};

/// The values of all creatives.
pub(super) struct Values {
    /// Beside notices that are all HTTPS.
    safe: Vec<OwnValues>,
    /// Beside notices that are not; empty if no campaign has such notices.
    plain: Vec<OwnValues>,
}

impl Values {
    pub(super) fn of(campaigns: &[CampaignDraft], creatives: &[CreativeDraft]) -> Values {
        let has_plain = campaigns.iter().any(|campaign| !campaign.texts.secure);
        let all = |safe: bool| creatives.iter().map(|creative| OwnValues::new(creative, safe)).collect();
        Values { safe: all(true), plain: if has_plain { all(false) } else { Vec::new() } }
    }

    /// The values of the creatives of a campaign.
    pub(super) fn shown(&self, campaign: &CampaignDraft) -> Vec<&OwnValues> {
        let all = if campaign.texts.secure { &self.safe } else { &self.plain };
        campaign.creatives.iter().filter_map(|place| all.get(*place as usize)).collect()
    }
}

/// The values of one creative: for each rule that concerns it, the keys of which an impression must have one. Without
/// keys, every impression will do.
pub(super) struct OwnValues(Vec<(&'static Row, Vec<Vec<u8>>)>);

impl OwnValues {
    fn new(creative: &CreativeDraft, has_safe_notices: bool) -> OwnValues {
        let laid = Laid::out(creative);
        let parts = Own::parts(laid.view(), has_safe_notices);
        let of_row = |form: Form, reason| -> Option<Vec<Vec<u8>>> {
            let values = parts.iter().filter_map(|own| rows::own(reason, own));
            let keys: Vec<_> = values.map(|value| keys(form, reason, value)).collect();
            let fits_all = keys.iter().any(Vec::is_empty);
            (!keys.is_empty()).then(|| if fits_all { Vec::new() } else { keys.concat() })
        };
        OwnValues(ROWS.iter().filter_map(|row| Some((row, of_row(row.form?, row.reason)?))).collect())
    }

    /// The keys in the rule with this reason; `None` if the rule does not concern the creative.
    pub(super) fn keys(&self, reason: R) -> Option<&Vec<Vec<u8>>> {
        self.0.iter().find(|(row, _)| row.reason == reason).map(|(_, keys)| keys)
    }

    /// The attributes of a request that the rules look at.
    pub(super) fn paths(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().flat_map(|(row, _)| row.paths.iter().copied())
    }
}

/// The keys of a value; none if it fits every impression, or if the index cannot hold it.
fn keys(form: Form, reason: R, value: Value<'_>) -> Vec<Vec<u8>> {
    let key = |number: i64| number_key(number).to_vec();
    match value {
        Value::Number(0) if matches!(form, Form::OneOfKnown | Form::Flag) => vec![],
        Value::Number(number) => vec![key(number)],
        // All of them are needed, so the first one is.
        Value::Numbers(all) if form == Form::AllOf => all.iter().take(1).map(key).collect(),
        Value::Numbers(all) => all.iter().map(key).collect(),
        Value::Text(text) if Key::of(reason, text).folds() => vec![text.as_bytes().to_vec()],
        Value::Text(_) | Value::Any(_) => vec![],
    }
}
