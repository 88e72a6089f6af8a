//! Finds our URLs in the text of an answer, and takes them out together with what stands around them.

use super::ORIGIN;

/// Our URLs, from our origin to the end of the string, attribute or CDATA section that holds them.
pub(crate) fn urls(text: &str) -> Vec<&str> {
    let starts = text.match_indices(&format!("{ORIGIN}/n/")).map(|(at, _)| at).collect::<Vec<_>>();
    starts.into_iter().map(|at| until(&text[at..], &["\"", "\\", "]]>"])).collect()
}

fn until<'t>(text: &'t str, ends: &[&str]) -> &'t str {
    let end = ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    &text[..end]
}

/// The answer without our URLs.
pub(crate) fn removed(answer: &str) -> String {
    let mut left = answer.to_owned();
    for url in urls(answer) {
        let forms = [
            format!(r#","nurl":"{url}""#),
            format!(r#","burl":"{url}""#),
            format!(r#","lurl":"{url}""#),
            format!(r#"<img src=\"{url}\" width=\"1\" height=\"1\" alt=\"\" style=\"display:none\">"#),
            format!("<Impression><![CDATA[{url}]]></Impression>"),
            // A list that has only ours, and then an entry before others.
            format!(r#",\"imptrackers\":[\"{url}\"]"#),
            format!(r#",\"eventtrackers\":[{{\"event\":1,\"method\":1,\"url\":\"{url}\"}}]"#),
            format!(r#"{{\"event\":1,\"method\":1,\"url\":\"{url}\"}},"#),
            format!(r#"\"{url}\","#),
        ];
        let Some(form) = forms.iter().find(|form| left.contains(form.as_str())) else {
            panic!("{url} stands in no known place of {answer}");
        };
        left = left.replacen(form.as_str(), "", 1);
    }
    assert!(!left.contains(ORIGIN), "{left}");
    left
}
