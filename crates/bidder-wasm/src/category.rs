//! Compares categories of the same taxonomy.

/// Whether `cat` is `listed` or a child of it; case does not matter. Only Content Taxonomy 1.0 shows the parent in the
/// code: `IAB7-39` is a child of `IAB7`. Codes of later taxonomies are plain numbers.
pub fn is_within(cat: &str, listed: &str) -> bool {
    listed.eq_ignore_ascii_case(cat) || listed.eq_ignore_ascii_case(parent(cat))
}

/// The parent of a category; the category itself if it has none.
pub fn parent(cat: &str) -> &str {
    cat.split('-').next().unwrap_or_default()
}
