//! Comparing categories of one taxonomy.

/// Whether `cat` is `listed` or lies under it, in any case of letters. Parents show in the code
/// itself only in Content Taxonomy 1.0, where `IAB7-39` lies under `IAB7`; codes of the later
/// taxonomies are plain numbers, each for itself.
pub(super) fn is_within(cat: &str, listed: &str) -> bool {
    let parent = cat.split('-').next().unwrap_or_default();
    listed.eq_ignore_ascii_case(cat) || listed.eq_ignore_ascii_case(parent)
}
