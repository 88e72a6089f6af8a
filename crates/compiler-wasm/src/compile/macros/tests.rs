mod hostile;

use crate::compile::tests::{found_texts, with};
use serde_json::{Value, json};

/// `path: message` of each finding on a catalog with this creative.
fn found(creative: Value) -> Vec<String> {
    found_texts(&with([("creatives", creative)]))
}

fn banner(adm: &str) -> Value {
    json!({ "banner": { "w": 1, "h": 1, "adm": adm } })
}

fn video(content: &str) -> Value {
    let adm = format!(r#"<VAST version="3.0"><Ad id="a"><InLine><AdSystem/>{content}</InLine></Ad></VAST>"#);
    let video = json!({"dur": 5, "protocol": 3, "w": 1, "h": 1, "mimes": ["video/mp4"], "adm": adm});
    json!({ "banner": null, "video": video })
}

#[test]
fn macros_in_safe_places_are_accepted() {
    for markup in [
        "<p title='{site.domain}'>{imp.id}</p>",
        "<p title=a{site.domain} data-a=\"x {cid} y\">",
        "<img src=\"https://t.example/?a={imp.id}&amp;b={site.page}\">",
        "<img src=//t.example?{imp.id}><a href=/a?b={cid}>",
        "<img srcset='https://t.example/{crid} 1x, https://t.example/{crid}/b 2x'>",
        "<meta http-equiv=refresh content='0;url=https://t.example/{cid}'>",
        "<script>var a=\"{imp.id}\",b='{site.page}',t={timestamp},c = {cachebuster};</script>",
        "<script type='application/json'>{\"a\":\"{imp.id}\"}</script>",
        "<script>new Image().src='https:\\/\\/t.example\\/?a={site.page}'</script>",
        "<script>document.write('<img src=\"https://t.example/?a={site.page}\">')</script>",
        "<script>var r=a/b/2, s=/[/\"]'/.test('x'), u=`${a?`\"`:'{imp.id}'}`, t='{imp.id}'</script>",
        "<script>/* ' */ f({a:'{imp.id}'}) // \"\n g(\"it's {imp.id}\", 'a\\'{imp.id}')</script>",
        "<button onclick=\"f('{imp.id}')\" onfocus='f(&quot;{imp.id}&quot;)'>",
        "<noscript><img src='https://t.example/{imp.id}'></noscript>",
        "<title>{imp.id}</title><textarea>{imp.id}</textarea>",
        "<style>a{cachebuster}b{}</style><!-- {timestamp} -->",
        "<svg><text>{imp.id}</text></svg>",
    ] {
        assert_eq!(found(banner(markup)), [""; 0], "{markup}");
    }
    for content in [
        "<Impression><![CDATA[https://t.example/?a={imp.id}]]></Impression>",
        "<Impression> https://t.example/?a={imp.id} </Impression>",
        "<AdTitle>{crid}</AdTitle><Description><![CDATA[ {site.domain} ]]></Description>",
        "<Creatives><Creative id=\"{crid}\"/></Creatives>",
        "<!-- <![CDATA[ --><AdTitle>{crid}</AdTitle>",
        "<HTMLResource><![CDATA[<a href=\"https://t.example/?a={imp.id}\">{cid}</a>]]></HTMLResource>",
        "<AdParameters><![CDATA[{\"a\":\"https://t.example/?a={imp.id}\"}]]></AdParameters>",
    ] {
        assert_eq!(found(video(content)), [""; 0], "{content}");
    }
}

#[test]
fn macros_in_unsafe_places_are_refused() {
    let in_string = "inside of a string in quotes";
    let behind_host = "behind the host of a URL";
    for (markup, expected) in [
        ("<script>var a={imp.id}</script>", in_string),
        ("<script>// {imp.id}\n</script>", in_string),
        ("<script>/* {imp.id} */</script>", in_string),
        ("<script>var a=`{imp.id}`</script>", in_string),
        ("<script>var a=/\"{imp.id}\"/</script>", in_string),
        ("<script>var a=\"{imp.id}\n\"</script>", in_string),
        ("<script>var a=`${\"a\"}{imp.id}`</script>", in_string),
        ("<script>if(a)/\"/;b=\"{imp.id}\"</script>", "in a script before"),
        ("<script><!-- '\nb=\"{imp.id}\"</script>", "in a script before"),
        ("<script>document.write(\"<b title='{imp.id}'>\")</script>", "without < and >"),
        ("<script>a.innerHTML='\\x3cb>{imp.id}'</script>", "without < and >"),
        ("<script>location='{site.page}javascript:'+'https://{site.domain}/'</script>", behind_host),
        ("<script>a='javascript:f(\"{imp.id}\")'</script>", behind_host),
        ("<script type='text/template'>{imp.id}</script>", "of JavaScript or JSON"),
        ("<svg><script>'{imp.id}'</script></svg>", "before <svg>"),
        ("<a href='{site.page}'>", behind_host),
        ("<a href='https://{site.domain}/'>", behind_host),
        ("<a href=' javascript:f(\"{imp.id}\")'>", behind_host),
        ("<a href='java&#x0a;script://x/?{imp.id}'>", behind_host),
        ("<a href='&#x64;ata:text/html,//a/{imp.id}'>", behind_host),
        ("<p data-a='//{site.domain}'>", behind_host),
        ("<p style='{imp.id}'>", "than style and srcdoc"),
        ("<iframe srcdoc='{imp.id}'>", "than style and srcdoc"),
        ("<iframe>{imp.id}</iframe>", "not read as HTML"),
        ("<style>{imp.id}</style>", "outside of <style>"),
        ("<!-- {imp.id} -->", "outside of comments"),
        ("<{imp.id}>", "than the name of an element"),
        ("</{imp.id}>", "outside of comments"),
        ("<b{imp.id}>", "in a text, in the value"),
        ("<p title=\"&{imp.id}\">", "directly behind &"),
        ("<p>&#x{imp.id}", "directly behind &"),
        ("<p {imp.id}=a>", "in a text, in the value"),
        ("<p title={imp.id} class=a>", "in quotes"),
        ("<p title = {imp.id}>", "in quotes"),
        ("<p title=a title='{imp.id}'>", "in a text, in the value"),
        ("<!doctype {imp.id}>", "in a text, in the value"),
        ("<p title='{imp.id}'>\u{f0000}", "private planes"),
        ("<noscript><style>{imp.id}</style></noscript>", "outside of <style>"),
        ("<p onclick='f({imp.id})'>", in_string),
    ] {
        let found = found(banner(markup));
        assert!(found.len() == 1 || markup.contains("page"), "{markup}: {found:?}");
        assert!(
            found.iter().all(|found| found.starts_with("creatives[0].banner.adm: the macro {")
                && found.contains("is not safe in its place; expected it ")
                && found.contains(expected)),
            "{markup}: {found:?}"
        );
    }
    for (content, expected) in [
        ("<AdParameters>{imp.id}</AdParameters>", behind_host),
        ("<Impression>https://{site.domain}/</Impression>", behind_host),
        ("<Impression a=\"https://{site.domain}/\"/>", behind_host),
        ("<HTMLResource>&lt;b>{imp.id}</HTMLResource>", "in a CDATA section"),
        ("<HTMLResource><![CDATA[<style>{imp.id}</style>]]></HTMLResource>", "outside of <style>"),
        ("<!-- {imp.id} -->", "outside of comments"),
        ("<?a {imp.id}?>", "in a text, in the value"),
    ] {
        let found = found(video(content));
        assert!(found.len() == 1 && found[0].contains(expected), "{content}: {found:?}");
    }
}

#[test]
fn texts_are_read_in_objects_lists_and_notices() {
    let document = |url: &str| {
        let media = json!([{ "url": url, "mime": "video/mp4" }]);
        let video = json!({ "dur": 5, "protocol": 3, "w": 1, "h": 1, "media": media, "impression": [url] });
        let data = json!([{ "type": 2, "value": "{site.domain}" }]);
        let native = json!({ "title": "t {cid}", "data": data, "link": url, "imptrackers": [url], "video": video });
        with([("creatives", json!({ "banner": null, "native": native })), ("campaigns", json!({ "burl": url }))])
    };
    assert_eq!(found_texts(&document("https://t.example/{imp.id}")), [""; 0]);
    let refused = found_texts(&document("https://{imp.id}/"));
    let refused = refused.iter().filter(|found| found.contains("the macro {imp.id} is not safe"));
    let mut paths: Vec<&str> = refused.filter_map(|found| found.split(": ").next()).collect();
    paths.sort_unstable();
    let of_native = ["imptrackers[0]", "link", "video.impression[0]", "video.media[0].url"];
    let of_native = of_native.map(|path| format!("creatives[0].native.{path}"));
    assert_eq!(paths, [&["campaigns[0].burl".to_owned()][..], &of_native].concat());
    let kept = found(json!({ "iurl": "https://t.example/{imp.id}" }));
    assert!(kept.len() == 1 && kept[0].starts_with("creatives[0].iurl: the macro {imp.id} is not safe"), "{kept:?}");
}

#[test]
fn names_that_are_nearly_macros_are_refused_and_other_braces_stay() {
    for (name, expected) in [
        ("request.idd", "did you mean \"request.id\"?"),
        ("imp_id", "did you mean \"imp.id\"?"),
        ("Bid.ID", "did you mean \"bid.id\"?"),
        ("siteDomain", "did you mean \"site.domain\"?"),
        ("device.make", "expected one of request.id, imp.id,"),
        ("device.geo.city", "expected one of request.id, imp.id,"),
        ("GDPR", "did you mean \"gdpr\"?"),
        ("cache_buster", "did you mean \"cachebuster\"?"),
        ("gdprconsent", "did you mean \"gdpr_consent\"?"),
    ] {
        let found = found(banner(&format!("<b>{{{name}}}")));
        let expected = format!("creatives[0].banner.adm: no macro is named {name:?}; {expected}");
        assert!(found.len() == 1 && found[0].starts_with(&expected), "{found:?}");
    }
    for text in [
        "a{color:red}b{c}",
        "{}",
        "{",
        "{imp.id",
        "${imp.id}",
        "`${cid}`",
        "{ imp.id }",
        "{imp\n.id}",
        "{id}",
        "{data}",
        "{city}",
        "{clickurl}",
        "[CACHEBUSTER]",
        "{é}",
    ] {
        assert_eq!(found(banner(text)), [""; 0], "{text}");
    }
}

#[test]
fn messages_show_the_names_of_macros() {
    let notices = json!({ "nurl": "http://t.example/?a={bid.id}", "burl": "https://t.example/{cid} x" });
    let found = found_texts(&with([("campaigns", notices)]));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|found| found.contains("{bid.id}") || found.contains("/{cid} x")), "{found:?}");
}
