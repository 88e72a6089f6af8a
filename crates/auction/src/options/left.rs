//! What options leave for the host after a decision.

use base::json::Object;

/// A JSON object with a member for each option; empty without one.
#[derive(Debug, Default)]
pub struct Left {
    json: String,
}

impl Left {
    /// The JSON.
    pub fn json(&self) -> &str {
        &self.json
    }

    pub(crate) fn clear(&mut self) {
        self.json.clear();
    }

    /// Adds the member of an option.
    pub(crate) fn add(&mut self, option: &str, write: impl FnOnce(&mut String)) {
        let mut object =
            if self.json.pop().is_some() { Object::more(&mut self.json) } else { Object::begin(&mut self.json) };
        object.raw(option, write);
        object.end();
    }
}
