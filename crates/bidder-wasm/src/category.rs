//! Comparing categories of one taxonomy.

/// Whether `cat` is `listed` or lies under it, in any case of letters. Parents show in the code
/// itself only in Content Taxonomy 1.0, where `IAB7-39` lies under `IAB7`; codes of the later
/// taxonomies are plain numbers, each for itself.
pub fn is_within(cat: &str, listed: &str) -> bool {
    listed.eq_ignore_ascii_case(cat) || listed.eq_ignore_ascii_case(parent(cat))
}

/// What a category lies under; itself where it is nobody's child.
pub fn parent(cat: &str) -> &str {
    cat.split('-').next().unwrap_or_default()
}
