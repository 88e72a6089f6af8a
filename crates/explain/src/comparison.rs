//! Both sides of a check in words.

/// What was wanted, and what was found; a side with nothing to show is empty.
pub(super) type Comparison = (String, String);

/// What is found in a restriction that nobody can read.
pub(super) const UNREADABLE: &str = "a value that cannot be read";
