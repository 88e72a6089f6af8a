use crate::compile::compile;

/// `path: message` of each finding on a catalog with this creative and these attributes of its campaign, which may be
/// refused.
fn found(creative: &str, campaign: &str) -> Vec<String> {
    let document = format!(
        r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"a"}}],"creatives":[{{"crid":"c",{creative}}}],
        "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["c"]{campaign}}}]}}"#
    );
    let findings = compile(document.as_bytes(), &[]).map_or_else(|findings| findings, |compiled| compiled.notes);
    findings.iter().map(ToString::to_string).collect()
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn banner(adm: &str) -> String {
    format!(r#""banner":{{"w":1,"h":1,"adm":{}}}"#, json(adm))
}

fn video(content: &str) -> String {
    let adm = format!(r#"<VAST version="3.0"><Ad id="a"><InLine><AdSystem/>{content}</InLine></Ad></VAST>"#);
    format!(r#""video":{{"dur":5,"protocol":3,"w":1,"h":1,"mimes":["video/mp4"],"adm":{}}}"#, json(&adm))
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
        assert_eq!(found(&banner(markup), ""), [""; 0], "{markup}");
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
        assert_eq!(found(&video(content), ""), [""; 0], "{content}");
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
        let found = found(&banner(markup), "");
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
        let found = found(&video(content), "");
        assert!(found.len() == 1 && found[0].contains(expected), "{content}: {found:?}");
    }
}

#[test]
fn every_text_is_read() {
    let good = "https://t.example/{imp.id}";
    let bad = "https://{imp.id}/";
    let linear = |url: &str| {
        format!(
            r#"{{"dur":5,"protocol":3,"w":1,"h":1,"media":[{{"url":"{url}","mime":"video/mp4"}}],"impression":["{url}"],
            "error":["{url}"],"clicktracking":["{url}"],"tracking":[{{"event":"start","url":"{url}"}}],
            "verification":[{{"vendor":"v","url":"{url}","not_executed":"{url}"}}],
            "clickthrough":"{url}","companions":[{{"w":1,"h":1,"static":"{url}","clickthrough":"{url}"}},
            {{"w":1,"h":1,"iframe":"{url}"}}]}}"#
        )
    };
    let native = |url: &str| {
        format!(
            r#""native":{{"title":"t {{cid}}","data":[{{"type":2,"value":"{{site.domain}}"}}],"link":"{url}","imptrackers":["{url}"],
            "jstracker":"{url}","privacy":"{url}","img":[{{"type":1,"url":"{url}","w":1,"h":1}}],"video":{}}}"#,
            linear(url)
        )
    };
    let notices = |url: &str| format!(r#","nurl":"{url}","burl":"{url}","lurl":"{url}""#);
    assert_eq!(found(&native(good), &notices(good)), [""; 0]);
    let of_linear = [
        "clickthrough",
        "impression[0]",
        "error[0]",
        "clicktracking[0]",
        "tracking[0].url",
        "verification[0].url",
        "verification[0].not_executed",
        "media[0].url",
        "companions[0].static",
        "companions[0].clickthrough",
        "companions[1].iframe",
    ];
    let of_linear = of_linear.map(|path| format!("creatives[0].native.video.{path}"));
    let of_native = ["link", "imptrackers[0]", "jstracker", "privacy", "img[0].url"];
    let of_native = of_native.map(|path| format!("creatives[0].native.{path}"));
    let of_campaign = ["nurl", "burl", "lurl"].map(|path| format!("campaigns[0].{path}"));
    let refused = found(&native(bad), &notices(bad));
    let refused = refused.iter().filter(|found| found.contains("the macro {imp.id} is not safe"));
    let mut paths: Vec<&str> = refused.filter_map(|found| found.split(": ").next()).collect();
    let mut expected = [&of_linear[..], &of_native, &of_campaign].concat();
    paths.sort_unstable();
    expected.sort();
    assert_eq!(paths, expected);
    let kept = found(&format!(r#""iurl":"{good}",{}"#, banner("<b>")), "");
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
        let found = found(&banner(&format!("<b>{{{name}}}")), "");
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
        assert_eq!(found(&banner(text), ""), [""; 0], "{text}");
    }
}

#[test]
fn messages_show_the_names_of_macros() {
    let found = found(&banner("<b>"), r#","nurl":"http://t.example/?a={bid.id}","burl":"https://t.example/{cid} x""#);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|found| found.contains("{bid.id}") || found.contains("/{cid} x")), "{found:?}");
}
