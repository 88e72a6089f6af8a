//! Decisions that depend on what only the host can say: they are made in several passes, and end with a question.

use bumpalo::Bump;

use super::caps;
use super::inputs::Inputs;
use super::left::Left;
use crate::context::Context;
use crate::decide::{Decision, Effort};
use catalog::{Catalog, Ssp};
use openrtb::request::Request;
use rules::frequency::Frequency;

pub(crate) use caps::{Ask, Kept};

/// Decides in passes. `pass` decides with these inputs, and at most this much work: see [`Context::max_work`]. With an
/// [`Ask`], the decision is what to answer if the host cannot say.
pub(crate) fn decide<'a>(
    catalog: &Catalog<'_>,
    context: &Context<'a>,
    arena: &'a Bump,
    mut pass: impl FnMut(Inputs<'a>, Option<usize>) -> (Decision<'a>, Effort),
) -> (Decision<'a>, Effort, Option<Ask<'a>>) {
    let inputs = context.options;
    if are_several(catalog) && matches!(inputs.frequency, Frequency::Open) {
        let pass = |frequency, max_work| pass(Inputs { frequency, ..inputs }, max_work);
        return caps::decide(catalog.max_work, context.notices, arena, pass);
    }
    let (decision, effort) = pass(inputs, context.max_work);
    (decision, effort, None)
}

/// Whether decisions with this catalog may need several passes.
pub(crate) fn are_several(catalog: &Catalog<'_>) -> bool {
    catalog.parts().has_caps()
}

/// Leaves the question for the host.
pub(crate) fn ask(
    ask: &Ask<'_>,
    left: &mut Left,
    context: &Context<'_>,
    request: &Request<'_>,
    of: (Ssp<'_>, &Catalog<'_>),
    kept: &mut Kept,
) {
    if let Some(notices) = context.notices {
        left.add("caps", |out| ask.write(out, &notices.keys, request, of, kept));
    }
}
