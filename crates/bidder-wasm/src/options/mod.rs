//! The options of the serving module: what each keeps between calls, and what it gives a decision. Each option has the
//! exports of its own in its file. To remove one, delete its file and its lines here.

pub mod caps;
pub mod skadn;

use auction::context::Context;
use auction::options::caps::Allowed;
use catalog::Catalog;
use rules::frequency::Frequency;
use shading::Curves;

/// The state of the options.
#[derive(Default)]
pub(crate) struct Options {
    /// Frequency caps: what the object of a person allows in the next decision; `None` before it was asked.
    allowed: Option<Allowed>,
    /// Learned shading: what was learned about the prices that win; none before it is known.
    curves: Curves,
    /// SKAdNetwork: whether the host signs bids.
    signs: bool,
}

impl Options {
    /// Gives the next decision its inputs.
    pub(crate) fn prepare<'c>(&'c self, context: &mut Context<'c>, catalog: &Catalog<'_>) {
        context.options.curves = Some(&self.curves);
        context.options.signs = self.signs;
        if let Some(allowed) = &self.allowed {
            context.options.frequency = Frequency::Only(&allowed.subjects);
            context.options.counted_by = allowed.counted_by;
            context.max_work = Some(catalog.max_work / 2);
        }
    }

    /// Forgets what was for one decision.
    pub(crate) fn end(&mut self) {
        self.allowed = None;
    }

    /// Reads what the text of shares says to options.
    pub(crate) fn read_shares(&mut self, text: &str, catalog: &Catalog<'_>) {
        if catalog.parts().learns() {
            self.curves.read(text);
        }
    }
}
