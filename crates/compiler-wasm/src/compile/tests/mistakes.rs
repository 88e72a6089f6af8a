//! One mistake, or one thing that is no mistake, in a document that is otherwise right.
//!
//! A row says where members are added to the document, which members, and which findings they bring: the path inside
//! the last place, the rule, and after a colon a part of the message. `‹x*3›` stands for `xxx`. `a+b` are two places,
//! the first with the members before `++`. A row with `\` at its end goes on in the next line.

use serde_json::{Map, Value, json};

use super::{found, right};

const ROWS: &str = r#"
document | "format":2 | format out-of-range
document | "prebid_code":"edgebid" |
document | "prebid_code":"" | prebid_code out-of-range
document | "prebid_code":"*" | prebid_code out-of-range
document | "rates":[{"cur":"EUR","usd":"-1"}] | rates[0].usd out-of-range
document | "privacy":{"vendor_id":0} | privacy.vendor_id out-of-range: 0; expected 1 to 65535
document | "privacy":{"vendor_id":1,"personal":[{"purpose":2,"basis":"interest"}]} | privacy.personal[0].basis unknown
document | "privacy":{} | privacy.vendor_id not-registered: edgebid does not bid
document | "privacy":{"bid_unregistered":true} | privacy.vendor_id not-registered: false to stop bidding there
document | "privacy":{"bid_unregistered":false} |
document | "privacy":{},"campaigns":[] | campaigns no-bids
document | "ssps":[{"id":"a"},{"id":"a"}] | ssps[1].id out-of-range: already used in ssps[0]
document | "ssps":[{"id":"a"},{"id":""}] | ssps[1].id out-of-range

order | "id":"" | campaigns[0].budget_of unknown + id out-of-range + orders[0] no-bids
ssp | "id":"no/rth" | id out-of-range
ssp | "credentials":["‹aF*32›"] |
ssp | "credentials":["‹aF*31›"] | credentials[0] out-of-range
ssp | "credentials":["‹aG*32›"] | credentials[0] out-of-range
ssp | "tmax":1 |
ssp | "tmax":10000 |
ssp | "tmax":0 | tmax out-of-range: 0; expected 1 to 10000
ssp | "tmax":10001 | tmax out-of-range
ssp | "seat":"" | seat out-of-range
ssp | "seats":[{"seat":"s","name":""}] | seats[0].name out-of-range
ssp | "seats":[{"seat":"s","name":"a"},{"seat":"s","name":"b"}] | seats[1].seat out-of-range
ssp | "price_macro":"%%PRICE%%" |
ssp | "price_macro":"<price>" | price_macro out-of-range
ssp | "price_macro":"a b" | price_macro out-of-range
ssp | "sync_redirect_hosts":["prebid.example","P.example:8443"] |
ssp | "sync_redirect_hosts":["https://x.example"] | sync_redirect_hosts[0] out-of-range
ssp | "sync_url":"https://x.example/match?dsp=12&id={buyeruid}" |
ssp | "sync_url":"https://x.example:8443?{buyeruid}" |
ssp | "sync_url":"https://x.example/{buyeruid}?g={gdpr}&c={gdpr_consent}&p={gpp}&s={gpp_sid}&u={us_privacy}" |
ssp | "sync_url":"http://x.example/match?id={buyeruid}" | sync_url out-of-range
ssp | "sync_url":"https://{buyeruid}.x.example/" | sync_url out-of-range
ssp | "sync_url":"https://x.example/match" | sync_url out-of-range: has no {buyeruid}
ssp | "sync_url":"https://x.example/match#{buyeruid}" | sync_url out-of-range: has a #
ssp | "sync_url":"https://x.example/match?id={buyeruid" | sync_url out-of-range: has a { without a }
ssp | "sync_url":"https://x.example/match?id={buyeruid}&r={referer}" | sync_url out-of-range: {referer}
ssp | "sync_url":"https://x.example/match?id={buyeruid}\r\nx: y" | sync_url out-of-range
ssp | "sync_url":"https://x.example/match?id={buyeruid}&n=é" | sync_url out-of-range
ssp | "sync_url":"" | sync_url out-of-range
ssp | "auction":"second" | auction unknown: "second" is unknown; expected one of request, first
ssp | "uncalled":["lurl","burl"] | uncalled[1] unknown
ssp | "uncalled":["lurl","nurl"],"billing":"win" | uncalled[1] out-of-range: expected another billing than win
ssp | "billing":"brul" | billing unknown: did you mean "burl"?
ssp | "billing":5 | billing unreadable
ssp | "notice_cur":"GBP" | notice_cur out-of-range: "GBP" has no entry in rates
ssp | "invoice_ratio":"0.499999" | invoice_ratio out-of-range: from 0.5 to 2, with at most 6 decimals
ssp | "invoice_ratio":"1.0000001" | invoice_ratio out-of-range
ssp | "invoice_ratio":"" | invoice_ratio out-of-range
ssp | "bid_ext":{"dsa":1} | bid_ext.dsa out-of-range
ssp | "bid_ext":{"catalog":1} | bid_ext.catalog out-of-range
ssp | "bid_ext":{"skadn":{}} | bid_ext.skadn out-of-range
ssp | "bid_ext":{"a":[null]} | bid_ext.a[0] out-of-range
ssp | "bid_ext":{"a":"‹x*2041›"} |
ssp | "bid_ext":{"a":"‹x*2042›"} | bid_ext out-of-range: 2049 bytes
ssp | "bid_ext":[1] | bid_ext unreadable
ssp | "deals":["d-10"] |
ssp | "profile":"gogle" | profile unknown: did you mean "google"?

campaign | "adomain":["x"] | adomain[0] out-of-range: expected a bare domain such as ford.com
campaign | "adomain":["https://x.example"] | adomain[0] out-of-range
campaign | "adomain":[] | adomain out-of-range: empty
campaign | "creatives":[] | creatives out-of-range: empty
campaign | "max_cpm":3 | max_cpm out-of-range: the number 3; expected a decimal string
campaign | "cur":"GBP" | cur out-of-range
campaign | "nurl":"x.example" | nurl out-of-range
campaign | "burl":"https:///x" | burl out-of-range
campaign | "lurl":"https://x.example/ y" | lurl out-of-range
campaign | "nurl":"http://x.example/n" | nurl plain-http
campaign | "open":false | deals out-of-range
campaign | "ssps":["b"] | ssps[0] unknown: expected an id in ssps
ssp+campaign | "id":"north" ++ "ssps":["nroth"] | ssps[0] unknown: did you mean "north"?
creative+campaign | "crid":"velo-300x250" ++ "creatives":["velo-300x520"] \
    | creatives[0] unknown: did you mean "velo-300x250"?
campaign | "creatives":["acme"] | creatives[0] unknown: expected a crid in creatives
campaign | "start_date":"2026-12-01" \
    | start_date unknown-attribute: expected the time at which it starts and ends as start and end,
campaign | "Until":1 | Until unknown-attribute: expected the time at which
campaign | "status":"on" | status unknown-attribute: expected "paused": true
campaign | "fcap":3 | fcap unknown-attribute: expected how often a person may see it in caps,
campaign | "cpm":"1" | cpm unknown-attribute: expected the price as max_cpm
campaign | "seet":"1" | seet unknown-attribute: did you mean `seat`?
campaign | "deals":["d"] |
campaign | "deals":[{"max_cpm":"1"}] | deals[0].id missing
campaign | "deals":[{"id":"d","max_cpm":1.5}] | deals[0].max_cpm out-of-range
campaign | "deals":["c",{"id":"d","max_cpm":"201"}] | deals[1].max_cpm out-of-range: 201 USD is over the catalog's
campaign | "deals":[{"id":"d","max_cpm":"2"},"d"] | deals[1] out-of-range: "d" is listed twice; expected each
campaign | "deals":[{"id":"d","max_cpm":"0.002"}] | deals[0].max_cpm ambiguous
campaign | "caps":[{"n":1000,"per":"day"},{"n":1,"per":"lifetime"}] |
campaign | "caps":[{"n":1,"per":"days"}] | caps[0].per unknown: did you mean "day"?
campaign | "caps":[{"n":1,"per":"day"},{"n":2,"per":"day"}] | caps[1] out-of-range: a second cap per day
campaign | "caps":[{}] | caps[0].n missing + caps[0].per missing
campaign | "creatives":[{"crid":"c","weight":1000000}],"rotation":"random" |
campaign | "creatives":["c",{"crid":"c","weight":1}] | creatives[0] missing: no weight
campaign | "creatives":[{"crid":"c","weight":1}],"rotation":"sequence" | creatives[0].weight out-of-range: no effect
campaign | "dsa":{"behalf":"‹x*100›","paid":"‹ü*50›"} |
campaign | "dsa":{"behalf":"‹ü*51›","paid":"a"} | dsa.behalf out-of-range
campaign | "dsa":{"behalf":" ","paid":"a"} | dsa.behalf out-of-range
campaign | "dsa":{"behalf":"a"} | dsa.paid missing
dsa | "domain":"x.example","dsaparams":[1,2,3] |
dsa | "domain":"https://x.example/","dsaparams":[] | domain out-of-range + dsaparams out-of-range
skadn | "list_id":7 |
skadn | "network":"ABC123.skadnetwork" | network out-of-range
skadn | "network":".skadnetwork" | network out-of-range
skadn | "network":"abc123" | network out-of-range
skadn | "network":"‹a*53›.skadnetwork" | network out-of-range
skadn | "itunesitem":"id123456789" | itunesitem out-of-range
skadn | "itunesitem":"987654321" | itunesitem out-of-range: but the campaign's bundle is 123456789
skadn | "sourceidentifier":"0" | sourceidentifier out-of-range
skadn | "sourceidentifier":"0432" | sourceidentifier out-of-range
skadn | "sourceidentifier":"10000" | sourceidentifier out-of-range
skadn | "campaign":"101" | campaign out-of-range: expected a number from 1 to 100 as a string
skadn | "campaign":"4x" | campaign out-of-range
skadn | "campaign":null,"sourceidentifier":null | campaigns[0].skadn missing
skadn+creative | "list_id":7 ++ "adomain":["y.example"] |
skadn+creative | "list_id":7 ++ "adomain":["y.example"],"bundle":"123456789" |
skadn+creative | "list_id":7 ++ "adomain":["y.example"],"bundle":"2" \
    | campaigns[0].creatives[0] out-of-range: its bundle is 2, but skadn.itunesitem of the campaign is 123456789

template+campaign | "open":true ++ "template":"bas" | template unknown: did you mean "base"?
template+campaign | "adomain":null ++ "seat":null \
    | seat missing: also in the template; expected a string + templates[0].adomain missing: (in campaign c)
template | "creatives":["d"] | creatives[0] unknown: expected a crid in creatives (in campaign c)
template | "target":{"devicetype":{"include":["4"]}} \
    | target.devicetype.include[0] wrong-type: the string "4"; expected an integer
template | "open":false,"deals":null | deals out-of-range: empty, but open is false
document | "templates":[{"id":"base","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["c"],"open":false}],"campaigns":[{"cid":"c","template":"base"}] \
    | campaigns[0].deals out-of-range: empty, but open is false
template | "cid":"x" | cid unknown-attribute: did you mean `id`?
template | "template":"base" | template out-of-range: a template in a template
template | "id":null | campaigns[0].template unknown + id missing
document | "templates":[{"id":"a"},{"id":"a"}] | templates[1].id out-of-range: already used in templates[0]
document | "templates":[{"id":"a"}] | templates[0] no-bids: no campaign has this template

campaign | "start":"1970-01-01T00:00Z","end":"1970-01-01T00:00:00.001Z" |
campaign | "start":"1970-01-01T00:00Z","end":"1970-01-01T00:00Z" | end out-of-range: not after start
campaign | "start":"1970-01-01T00:00Z","end":"1970-01-01T00:30+01:00" | end out-of-range
campaign | "start":"1970-01-01","end":"1970-01-01T00:00Z" | start out-of-range: expected a time with its zone
campaign | "end":"soon" | end out-of-range
flights | 01 02, 02 04, 05 |
flights | 01 03, 02 04 | campaigns[0].flights[1].start out-of-range
flights | 03 04, 01 02 | campaigns[0].flights[1].start out-of-range
flights | 01, 02 04 | campaigns[0].flights[0].end out-of-range: missing
flights | 02 01 | campaigns[0].flights[0].end out-of-range
campaign | "start":"1970-01-01T00:00Z","flights":[{"start":"1970-01-02T00:00Z"}] | start out-of-range: beside flights
campaign | "end":"1970-01-01T00:00Z","flights":[{"start":"1970-01-02T00:00Z"}] | end out-of-range: beside flights

campaign | "budget":{"daily":"1"} |
campaign | "budget":{"daily":"5","total":"5"},"pacing":"even" |
campaign | "budget":{"total":"9000000000"},"pacing":"asap","cur":"EUR" |
campaign | "budget":{"total":"5"},"end":"2027-01-01T00:00Z" |
campaign | "budget":{"daily":"5"},"target":{"zone":"Europe/Berlin"} |
campaign | "budget":{"daily":"5"},"curve":[‹0,*23›7] |
campaign | "budget":{} | budget out-of-range: empty; expected daily, total, or both
campaign | "budget":{"daily":0,"total":"5"},"pacing":"asap" | budget.daily out-of-range: at least 0.001
campaign | "budget":{"daily":"9000000000.000001"} | budget.daily out-of-range: expected at most 9000000000
campaign | "budget":{"daily":"5","total":"4"} | budget.total out-of-range: 4 is under daily, 5
campaign | "budget":{"total":"4"} | budget out-of-range: the campaign has no end
campaign | "budget":{"daily":"4"},"pacing":"evn" | pacing unknown: did you mean "even"?
campaign | "pacing":"asap" | pacing out-of-range: no effect without a budget
campaign | "curve":[‹0,*23›1] | curve out-of-range: no effect without a budget
campaign | "budget":{"daily":"5"},"curve":[‹0,*23›0] | curve out-of-range: only zeros
campaign | "budget":{"daily":"5"},"curve":[‹0,*22›1] | curve out-of-range: 23 entries; expected 24
campaign | "budget":{"daily":"4"},"target":{"zone":"Europe/Berlni"} | target.zone out-of-range: not a known time zone
campaign | "budget":{"daily":1000000} |
campaign | "budget":{"daily":999999} | budget.daily ambiguous: less than a thousand impressions cost with max_cpm 1
campaign | "daily_budget":"5" | daily_budget unknown-attribute: expected what it may spend in budget
campaign | "budget_of":"io","budget":{"daily":"5"} | budget_of out-of-range: expected only one of budget
campaign | "budget_of":"oi" | budget_of unknown: expected an id in orders + orders[0] no-bids
campaign | "budget_of":"io","cur":"EUR" | budget_of out-of-range: expected one currency
campaign | "budget_of":"io","pacing":"asap" | pacing out-of-range: expected it in the order
campaign | "budget_of":"io" |
order | "id":"c" | id out-of-range: is the cid of campaigns[0]
order | "budget":{"total":"5"} | budget out-of-range: a campaign of the order has no end
order | "zone":"Europe/Berlni" | zone out-of-range: not a known time zone
order | "cur":"CHF" | campaigns[0].budget_of out-of-range + cur out-of-range: has no entry in rates

target | "channel":["site","web"] | channel[1] unknown
target | "hours":[{"days":[1,7],"from":1,"to":24}] |
target | "hours":[{"days":["mon",0,8],"from":1,"to":2}] \
    | hours[0].days[0] unreadable + hours[0].days[0] out-of-range + hours[0].days[1] out-of-range
target | "hours":[{"from":22,"to":6}] \
    | hours[0] out-of-range: two entries: from 22 to 24, and from 0 to 6 on the next days
target | "hours":[{"from":22,"to":0}] | hours[0] out-of-range: from 22 to 0; expected 0 to 24 within one day
target | "hours":[{"from":1,"to":25}] | hours[0].to out-of-range
target | "zone":"Mars" | zone out-of-range
target | "radius":{"exclude":[{"lat":"1","lon":"181","metres":1}]} | radius.exclude[0].lon out-of-range
target | "metric":[{"type":"viewability","min":"much"}] | metric[0].min out-of-range
target | "yob":{"min":1990,"max":1980} | yob out-of-range
target | "domain":{"include":["‹a*254›.example"]} | domain out-of-range
target | "domain":{"include_lists":["no"]} | domain.include_lists[0] unknown
target | "country":{"include":["USA","GER"]} | country.include[1] out-of-range: did you mean "DEU" (Germany)?
target | "country":{"exclude":["EUR"]} | country.exclude[0] out-of-range: expected a three-letter code such as USA
target | "content_language":{"include":["german"]} \
    | content_language.include[0] out-of-range: did you mean "de" (German)?
target | "country":{"include":["xkx"]},"language":{"include":["fil"]} |
creative | "language":"XX" |
creative | "language":"qq" | language out-of-range: expected a two-letter code such as en
target | "budget":1 | budget unknown-attribute: expected one of channel
bid | "when":{},"times":"0.01" |
bid | "when":{},"times":"100" |
bid | "times":"2" | when missing
bid | "when":{} | times missing: expected a decimal string such as "1.25"
bid | "when":{},"times":"0.001" | times out-of-range: from 0.01 to 100, with at most 6 decimals
bid | "when":{},"times":"100.000001" | times out-of-range
bid | "when":{},"times":"1.0000001" | times out-of-range
bid | "when":{},"times":1.5 | times out-of-range
bid | "when":{"country":{"include":["GER"]}},"times":"2" | when.country.include[0] out-of-range
bid | "when":{"zone":"Mars"},"times":"2" | when.zone out-of-range

target | "country":{"include":["DEU","fra"],"exclude":["FRA","ITA"]} | country.include[1] contradiction
target | "country":{"include":["DEU"],"exclude":["deu","FRA"]} | country no-bids
target | "devicetype":{"include":[1,2],"exclude":[2]} | devicetype.include[1] contradiction
target | "domain":{"include":["a.x.example","y.example"],"exclude":["www.x.example"]} | domain.include[0] contradiction
target | "domain":{"include":["x.example"],"exclude":["a.x.example"]} |
target | "segment":{"include":[{"provider":"p","id":"1"}],"exclude":[{"provider":"p","id":"1"}]} | segment no-bids
target | "segment":{"include":[{"provider":"p","id":"1"}],"exclude":[{"provider":"q","id":"1"}]} |
target | "region":{"include":["US-CA","BE"]} | region ambiguous
target | "region":{"exclude":["CA"]},"country":{"exclude":["USA"]} | region ambiguous
target | "region":{"include":["CA"]},"country":{"include":["USA"]} |
target | "region":{"include":["US-CA"]} |
target | "region":{"include":["US-CA","US-NY"]},"country":{"include":["DEU"]} | region no-bids
target | "region":{"include":["US-CA","DE-BE"]},"country":{"include":["DEU"]} |
target | "region":{"include":["US-CA"]},"country":{"exclude":["USA"]} | region no-bids
target | "channel":["site"],"bundle":{"include":["a"]} | bundle no-bids
target | "channel":["site","app"],"bundle":{"include":["a"]} |
target | "channel":["site"],"bundle":{"exclude":["a"]} |
target | "channel":["site"],"bundle":{"exclude":["a"],"exclude_unknown":true} | bundle no-bids
target | "channel":["dooh"],"buyeruid":true | buyeruid no-bids
target | "channel":["dooh","app"],"eids":{"include":["a"]} |
target | "osv":{"min":"17.5","max":"16"} | osv no-bids
target | "osv":{"min":"17.5","max":"17"} |
target | "plcmt":{"include":[1]} | plcmt no-bids
target | "plcmt":{"exclude":[1],"exclude_unknown":true} | plcmt no-bids
target | "plcmt":{"exclude":[1]},"pos":{"include":[1]},"topframe":true |
target | "startdelay":{"include":[0]} | startdelay no-bids

creative | "banner":null | creatives[0] missing: exactly one of banner, video, audio, native
creative | "audio":{"dur":1,"protocol":3,"media":[{"url":"https://x.example","mime":"a"}]} | creatives[0] missing
creative | "iurl":"x" | iurl out-of-range
creative | "bundle":"com.x" | bundle missing: without adomain
creative | "adomain":["x"] | adomain[0] out-of-range
banner | "w":0 | w out-of-range: 0; expected a positive number
banner | "w":null | creatives[0].banner missing: either w and h, or wratio and hratio
banner | "wratio":1,"hratio":1 | creatives[0].banner missing
banner | "w":null,"h":null,"wratio":16,"hratio":9 |
banner | "adm":" " | adm out-of-range
video | "w":null | w out-of-range
video | "h":0 | h out-of-range
video | "protocol":6 | protocol out-of-range: expected 2, 3, 7, 11, 13 or 15
video | "media":[] | creatives[0].video missing
video | "media":[],"adm":"<VAST/>" | mimes missing
video | "media":[{"url":"x","mime":"video/mp4"}] | media[0].url out-of-range
video | "clickthrough":"x" | clickthrough out-of-range
video | "impression":["https://x.example","x"] | impression[1] out-of-range
video | "companions":[{"w":1,"h":1,"html":"<b>"}],"companion_required":true |
video | "companions":[{"w":1,"h":1}] | companions[0] missing
video | "companions":[{"w":1,"h":1,"html":"<b>","iframe":"c"}] \
    | companions[0].iframe out-of-range + companions[0] missing
video | "companion_required":true | companion_required out-of-range
ready | "companions":[{"w":1,"h":1,"html":"<b>"}] | companions out-of-range
ready | "companion_required":true | companion_required out-of-range
video | "protocol":2,"skipoffset":5 | skipoffset out-of-range: given, but VAST 2.0 has none
video | "skipoffset":14 |
video | "skipoffset":15 | skipoffset out-of-range: expected at least 0 and less than dur, 15 seconds
video | "skipoffset":-1 | skipoffset out-of-range
video | "error":["https://t/1","https://t/2"] | error out-of-range: because VAST 3.0 has one Error
video | "protocol":7,"error":["t"] | error[0] out-of-range
video | "clicktracking":["t"] | clicktracking[0] out-of-range
video | "protocol":7,"interactive":"https://c/" | interactive out-of-range: expected it from VAST 4.1 on
video | "protocol":15,"interactive":"https://c/" |
video | "tracking":[{"event":"firstquartile","url":"https://t/"}] \
    | tracking[0].event unknown: did you mean "firstQuartile"?
video | "protocol":2,"tracking":[{"event":"skip","url":"https://t/"}] \
    | tracking[0].event unknown: expected one of creativeView
video | "protocol":7,"tracking":[{"event":"closeLinear","url":"https://t/"}] | tracking[0].event unknown
video | "tracking":[{"event":"progress","url":"https://t/"}] | tracking[0].offset missing
video | "tracking":[{"event":"progress","url":"https://t/","offset":16}] | tracking[0].offset out-of-range
video | "tracking":[{"event":"start","url":"https://t/","offset":1}] | tracking[0].offset out-of-range
video | "tracking":[{"event":"start","url":"t"}] | tracking[0].url out-of-range
video | "tracking":[‹{"event":"start","url":"https://t/"},*64›{"event":"start","url":"https://t/"}] \
    | tracking out-of-range: 65 entries
video | "verification":[{"vendor":"","url":"https://v/"}] | verification[0].vendor out-of-range
video | "verification":[{"vendor":"v","url":"v","not_executed":"https://v"}] | verification[0].url out-of-range
video | "media":[{"url":"https://c/1","mime":"Application/JavaScript"}] | media[0].api missing: expected "VPAID"
video | "media":[{"url":"https://c/1","mime":"text/javascript","api":"VPAID"}] \
    | media[0].api missing: does not list 1 or 2
video | "media":[{"url":"https://c/1","mime":"text/javascript","api":"vpaid"}] | media[0].api unknown
audio | "w":0,"h":0 |
audio | "skipoffset":5,"interactive":"https://c/" | skipoffset out-of-range + interactive out-of-range
ready | "tracking":[{"event":"start","url":"https://t/"}] | tracking out-of-range: given together with adm
ready | "error":["https://t/"],"skipoffset":5 | error out-of-range + skipoffset out-of-range
ready | "clicktracking":["https://t/"],"interactive":"https://t/" \
    | clicktracking out-of-range + interactive out-of-range
ready | "verification":[{"vendor":"v","url":"https://v/"}] | verification out-of-range
native | "link":"x" | link out-of-range
native | "imptrackers":["https://x.example","x"] | imptrackers[1] out-of-range
native | "jstracker":"x" | jstracker out-of-range
native | "privacy":"x" | privacy out-of-range
native | "img":[{"type":1,"url":"x","w":1,"h":0}] | img[0].h out-of-range + img[0].url out-of-range
native | "video":{"dur":1,"protocol":3} | video.w out-of-range + video.h out-of-range + video missing
document+campaign | "ssps":[{"id":"a","deals":["d1"]},{"id":"b","deals":["d3"]}] ++ "deals":["d1","d3"] |
document+campaign | "ssps":[{"id":"a","deals":["d1"]},{"id":"b","deals":["d3"]}] ++ "deals":["d1","x"] \
    | deals[1] unknown: expected a deal
document+campaign | "ssps":[{"id":"a","deals":["d1"]},{"id":"b","deals":["d3"]}] ++ "deals":["d1","d3"],"ssps":["a"] \
    | deals[1] unknown: did you mean "d1"?
document+campaign | "ssps":[{"id":"a","deals":["d1"]},{"id":"b"}] ++ "deals":["d1"],"ssps":["b"] | deals[0] unknown
ssp+campaign | "deals":["d-10"] ++ "deals":["d-20"] | deals[0] unknown: did you mean "d-10"?

list | "values":["com","www.x.example"] |
list | "values":["x.example","https://x.example"] | values[1] out-of-range: matches no domain
list | "values":["x.example","x.example/a"] | values[1] out-of-range
list | "values":["x.example","*.x.example"] | values[1] out-of-range
list | "values":["x.example",".x.example"] | values[1] out-of-range
list | "values":["x.example","x y"] | values[1] out-of-range
list | "values":["x.example","‹a*250›.example"] | values[1] out-of-range: too long
list | "values":["bücher.example"] | values[0] ambiguous: xn--
list | "values":["x.example",""] | values[1] out-of-range: empty
list | "values":["x.example","y.example","x.example"] | values[2] repeated: at [0]
list | "values":[] | values out-of-range: empty
list+target | "values":["Köln","https://x.example","*.x.example"] ++ "domain":null,"city":{"exclude_lists":["l"]} |
list+target | "values":["x.example"] ++ "domain":null | lists[0] no-bids: no campaign uses it
list+target | "values":["x"] ++ "domain":{"include_lists":["l"],"exclude_lists":["l"]} \
    | domain no-bids: every included list
list+target | "values":["x"] ++ "domain":{"exclude_lists":["brand-safty"]} \
    | domain.exclude_lists[0] unknown + lists[0] no-bids
list+target | "id":"brand-safety" ++ "domain":{"exclude_lists":["brand-safety","brand-safty"]} \
    | domain.exclude_lists[1] unknown: did you mean "brand-safety"?
list+target | "values":["x"] ++ "domain":null,"eids":{"include_lists":["l"]},"mm":{"include":[3]} \
    | eids out-of-range: beside mm
document | "lists":[{"id":"l","values":["x"]},{"id":"l","values":["x"]}] \
    | lists[1].id out-of-range: already used + lists[0] no-bids + lists[1] no-bids

day | "budget":{"total":"5"} |
day+campaign | "budget":{"total":"5"} ++ "budget":{"daily":"5"} | budget out-of-range: beside budgets of flights
day+campaign | "end":"2026-11-02T00:00Z" ++ "pacing":"asap" | pacing out-of-range: no effect without a budget
day | "start":"2026-11-01T11:59Z","budget":{"total":"5"} \
    | start out-of-range: no midnight in UTC, and the flight has a budget; expected "2026-11-01T00:00Z"
day | "end":"2026-11-02T12:01Z","budget":{"total":"5"} | end out-of-range: expected "2026-11-03T00:00Z"
day+target | "start":"2026-10-24T23:00Z","end":"2026-11-02T00:00+01:00","budget":{"total":"5"} \
    ++ "zone":"Europe/Berlin" \
    | campaigns[0].flights[0].start out-of-range: no midnight in Europe/Berlin, and the flight has a budget; \
    expected "2026-10-25T00:00+02:00"
day | "end":null,"budget":{"total":"5"} | budget out-of-range: the flight has no end
campaign | "flights":[{"start":"2026-11-01T00:00Z","end":"2026-11-02T00:00Z","budget":{"total":"5"}},{"start":"2026-11-02T00:00Z"}] \
    | flights[1].budget out-of-range: another flight has a budget

campaign | "burl":"https://t.example/b" |
ssp+campaign+ready | "billing":"burl" ++ "burl":"https://t.example/b" \
    ++ "adm":"<VAST version=\"3.0\"><Ad><InLine><AdSystem/></InLine></Ad></VAST>" \
    |
ssp+campaign | "billing":"win" ++ "nurl":"https://t.example/n" |
ready | "adm":"<VAST version=\"3.0\"><Ad><InLine><AdSystem/></InLine></Ad></VAST>" |
ready+campaign | "dur":15 ++ "budget":{"daily":"5"} \
    | creatives[0] unbilled: edgebid does not count + budget unbilled: may spend more
ssp+ready | "billing":"impression" ++ "dur":15 | campaigns[0].creatives[0] unbilled
ssp+ready | "billing":"burl" ++ "dur":15 |
ssp+ready | "billing":"both" ++ "dur":15 |
ssp+ready+campaign | "billing":"burl" ++ "dur":15 ++ "burl":"https://t.example/b" | creatives[0] unbilled
ssp+ready+campaign | "billing":"both" ++ "dur":15 ++ "burl":"https://t.example/b" | creatives[0] unbilled
ssp+ready+campaign | "billing":"win" ++ "dur":15 ++ "burl":"https://t.example/b" |
ssp+ready+campaign | "billing":"win" ++ "dur":15 ++ "nurl":"https://t.example/n" | creatives[0] unbilled

banner | "adm":"${AUCTON_PRICE}" | adm unknown: fills the macro "AUCTON_PRICE"; did you mean "AUCTION_PRICE"?
campaign | "burl":"https://t.example/${AUCTON_PRICE}" | burl unknown
creative | "iurl":"https://t.example/${AUCTON_PRICE}" | iurl unknown
ready | "adm":"<VAST version=\"3.0\"><Ad><InLine><A>${AUCTON_PRICE}</A></InLine></Ad></VAST>" | adm unknown
video | "companions":[{"w":1,"h":1,"html":"${AUCTON_PRICE}"}] | companions[0].html unknown
video | "verification":[{"vendor":"v","url":"https://v","params":"${AUCTON_PRICE}"}] | verification[0].params unknown
native | "data":[{"type":2,"value":"${AUCTON_PRICE}"}] | data[0].value unknown
banner | "adm":"${AUCTION_BIDID}" | adm unknown: did you mean "AUCTION_BID_ID"?
banner | "adm":"${auction_price}" | adm unknown: did you mean "AUCTION_PRICE"?
banner | "adm":"${MIN_BID_TO_WINN:X}" | adm unknown: "MIN_BID_TO_WINN"; did you mean "MIN_BID_TO_WIN"?
banner | "adm":"${AUCTION_WINNER}" | adm unknown: expected one of AUCTION_ID, AUCTION_BID_ID,
banner | "adm":"${AUCTION_PRICE" | adm unknown: has no end; expected ${AUCTION_PRICE} or ${AUCTION_PRICE:X}
banner | "adm":"${AUCTION_PRICE:B64&b=${AUCTION_ID}" | adm unknown: "AUCTION_PRICE" has no end
banner | "adm":"${AUCTION_PRICE}${AUCTION_ID}${AUCTION_IDD}" | adm unknown: "AUCTION_IDD"
banner | "adm":"${} ${id} ${PRICE} `${a.b} ${f(x)}` ${CACHEBUSTER} ${auctionPrice} ${é} $ ${" |
ssp+banner | "price_macro":"${AUCTION_PRICE_ENC}" ++ "adm":"${AUCTION_PRICE_ENC}" |
ssp+banner | "price_macro":"%%PRICE%%" ++ "adm":"${AUCTION_PRICE_ENC}" | adm unknown
ssp+banner | "price_macro":"" ++ "adm":"${AUCTION_PRICE_ENC}" | adm unknown
ssp | "profile":"x" | profile unknown: expected one of google, index, xandr, openx, pubmatic,
ssp | "id":null,"profile":"unity","tmax":0 | tmax out-of-range + id missing
ssp | "profile":"google","bid_ext":{"x":1} \
    | bid_ext.billing_id incomplete: also in the profile "google"; expected your own bid_ext.billing_id, because a bid
ssp | "profile":"google","bid_ext":null |
ssp | "profile":"xandr" | seat incomplete: also in the profile "xandr"; expected your own seat or seats, because Xandr
ssp | "profile":"xandr","seats":[{"seat":"s","name":"958"}] |
ssp+banner | "profile":"smaato" ++ "adm":"‹x*6000›" \
    | campaigns[0].creatives[0] too-long: at most 6144, the SSP's max_response_bytes (of its profile "smaato")
ssp+banner | "profile":"smaato" ++ "adm":"‹x*7000›" \
    | campaigns[0].creatives[0] out-of-range: max_response_bytes of the campaign's SSPs (of its profile "smaato")
ssp+banner | "profile":"smaato","max_response_bytes":6100 ++ "adm":"‹x*6000›" \
    | campaigns[0].creatives[0] too-long: at most 6100
document+banner | "ssps":[{"id":"a","max_response_bytes":120},{"id":"b"}] ++ "adm":"‹x*70032›" \
    | campaigns[0].creatives[0] too-long
document+banner | "ssps":[{"id":"a","max_response_bytes":120},{"id":"b","max_response_bytes":80000}] \
    ++ "adm":"‹x*70032›" \
    | campaigns[0].creatives[0] too-long
document+banner | "ssps":[{"id":"a","max_response_bytes":120},{"id":"b","max_response_bytes":80000}] \
    ++ "adm":"‹x*90032›" \
    | campaigns[0].creatives[0] out-of-range
document+banner | "ssps":[{"id":"a","max_response_bytes":80000},{"id":"b"}] ++ "adm":"‹x*70032›" |
document+banner+campaign | "ssps":[{"id":"a","max_response_bytes":120},{"id":"b"}] ++ "adm":"‹x*70032›" \
    ++ "ssps":["a"] \
    | creatives[0] out-of-range
document+banner+campaign | "ssps":[{"id":"a","max_response_bytes":120},{"id":"b"}] ++ "adm":"‹x*70032›" \
    ++ "ssps":["b"] \
    | ssps[0] no-bids
ssp+banner | "max_response_bytes":120 ++ "adm":"‹x*70032›" | campaigns[0].creatives[0] out-of-range
ssp+banner | "max_response_bytes":120 ++ "adm":"‹x*20›" | campaigns[0].creatives[0] too-long
ssp+campaign | "max_response_bytes":700,"price_macro":"$P" ++ "nurl":"https://x.example/?‹${AUCTION_PRICE}*40›" |
ssp+campaign | "max_response_bytes":700 ++ "nurl":"https://x.example/?‹${AUCTION_PRICE}*40›" \
    | creatives[0] too-long
ssp+campaign | "max_response_bytes":1200 ++ "nurl":"https://x.example/?‹${AUCTION_PRICE}*40›" |
ssp+campaign | "max_response_bytes":700,"fill_macros":true ++ "nurl":"https://x.example/?‹${AUCTION_SEAT_ID}*40›" |
ssp+campaign | "max_response_bytes":700 ++ "nurl":"https://x.example/?‹${AUCTION_SEAT_ID}*40›" \
    | creatives[0] too-long

campaign | "max_cpm":2500 | max_cpm ambiguous: 0.0025 USD is under 0.01 per thousand impressions
campaign | "max_cpm":9999 | max_cpm ambiguous
campaign | "max_cpm":10000 |
campaign | "max_cpm":"2500000" | max_cpm out-of-range: 2500000 USD is over the catalog's ceiling of 200 US dollars
campaign | "max_cpm":"200.000001" | max_cpm out-of-range
campaign | "max_cpm":"200" |
document+campaign | "rates":[{"cur":"JPY","usd":"0.0065"}] ++ "max_cpm":"30769.230770","cur":"JPY" \
    | max_cpm out-of-range: 30769.23077 JPY is over
document+campaign | "rates":[{"cur":"JPY","usd":"0.0065"}] ++ "max_cpm":"30769.230769","cur":"JPY" |
document+campaign | "max_cpm_ceiling":"1000" ++ "max_cpm":"1000" |
document+campaign | "max_cpm_ceiling":10000000 ++ "max_cpm":"10.01" | max_cpm out-of-range: ceiling of 10 US dollars

banner | "adm":"<img src=\"HTTP://x.example/a?b\">" | creatives[0] plain-http: "HTTP://x.example/a?b" is plain http
banner | "adm":"<a href=\"https://x.example\">" |
creative | "iurl":"http://x.example/i" | creatives[0] plain-http: "http://x.example/i" is plain http
creative | "iurl":"https://x.example/http" |
video | "media":[{"url":"http://x.example/m","mime":"video/mp4"}] \
    | creatives[0] plain-http: "http://x.example/m" is plain http
native | "link":"http://x.example/l" | creatives[0] plain-http: "http://x.example/l" is plain http
campaign | "lurl":"https://x.example/?to=http%3A%2F%2Fy" | lurl plain-http: "http%3A%2F%2Fy" is plain http
campaign | "nurl":"https://x.example/n" |
"#;

/// The objects that rows add members to: name, path, and the object as it is without the row. `null`: as in [`right`].
fn places() -> Vec<(&'static str, &'static str, Value)> {
    let media = json!([{ "url": "https://x.example/1", "mime": "video/mp4" }]);
    let linear = json!({ "dur": 15, "protocol": 3, "w": 1, "h": 1, "media": media });
    let adm = r#"<VAST version="3.0"><Ad><InLine/></Ad></VAST>"#;
    let ready = json!({ "dur": 15, "protocol": 3, "w": 1, "h": 1, "mimes": ["video/mp4"], "adm": adm });
    let audio = json!({ "dur": 15, "protocol": 11, "media": media });
    let skadn = json!({ "network": "abc.skadnetwork", "itunesitem": "123456789", "campaign": "45" });
    let template = json!({
        "id": "base", "seat": "s", "adomain": ["x.example"], "max_cpm": "1", "creatives": ["c"], "deals": ["d"],
    });
    vec![
        ("document", "", Value::Null),
        ("ssp", "ssps[0]", Value::Null),
        ("order", "orders[0]", json!({ "id": "io", "budget": { "daily": "5" } })),
        ("campaign", "campaigns[0]", Value::Null),
        ("list", "lists[0]", json!({ "id": "l", "values": ["x.example"] })),
        ("template", "templates[0]", template),
        ("day", "campaigns[0].flights[0]", json!({ "start": "2026-11-01T00:00Z", "end": "2026-11-02T00:00Z" })),
        ("target", "campaigns[0].target", json!({})),
        ("bid", "campaigns[0].bids[0]", json!({})),
        ("dsa", "campaigns[0].dsa.transparency[0]", json!({})),
        ("skadn", "campaigns[0].skadn", skadn),
        ("flights", "campaigns[0].flights", json!([])),
        ("creative", "creatives[0]", Value::Null),
        ("banner", "creatives[0].banner", Value::Null),
        ("video", "creatives[0].video", linear),
        ("ready", "creatives[0].video", ready),
        ("audio", "creatives[0].audio", audio),
        ("native", "creatives[0].native", json!({ "title": "t", "link": "https://x.example/" })),
    ]
}

/// The value at a path such as `campaigns[0].target`, which is made if it is not there.
fn at<'d>(document: &'d mut Value, path: &str) -> &'d mut Value {
    path.split(['.', '[']).filter(|part| !part.is_empty()).fold(document, |value, part| match part.strip_suffix(']') {
        Some(_) if value.is_array() => value.get_mut(0).unwrap(),
        Some(_) => {
            *value = json!([{}]);
            &mut value[0]
        }
        None => &mut value[part],
    })
}

/// Replaces each `‹x*3›` with `xxx`.
fn expanded(text: &str) -> String {
    let Some((before, rest)) = text.split_once('‹') else { return text.to_owned() };
    let (repeated, after) = rest.split_once('›').unwrap();
    let (part, times) = repeated.rsplit_once('*').unwrap();
    format!("{before}{}{}", part.repeat(times.parse().unwrap()), expanded(after))
}

/// `01 02, 03` as two flights, on days of January 1970.
fn flights(text: &str) -> Value {
    let time = |day: &str| format!("1970-01-{day}T00:00Z");
    let flight = |days: &str| match days.split_once(' ') {
        Some((start, end)) => json!({ "start": time(start), "end": time(end) }),
        None => json!({ "start": time(days) }),
    };
    text.split(", ").map(flight).collect()
}

/// Adds the members of a row to a document at a place. Returns the place's path.
fn add(document: &mut Value, place: &str, members: &str) -> &'static str {
    let places = places();
    let (_, path, whole) = places.iter().find(|(name, ..)| *name == place).unwrap_or_else(|| panic!("{place}"));
    if path.starts_with("creatives[0].") && place != "banner" {
        document["creatives"][0].as_object_mut().unwrap().remove("banner");
    }
    let id = if members.contains(r#""id":"c""#) { "c" } else { "io" };
    let campaign = &mut document["campaigns"][0];
    match place {
        "dsa" => campaign["dsa"] = json!({ "behalf": "a", "paid": "a" }),
        "skadn" => campaign["bundle"] = json!("123456789"),
        "list" => campaign["target"] = json!({ "domain": { "exclude_lists": ["l"] } }),
        "order" => campaign["budget_of"] = json!(id),
        "template" => *campaign = json!({ "cid": "c", "template": "base" }),
        _ => {}
    }
    if members.contains("budget_of") {
        document["orders"] = json!([{ "id": "io", "budget": { "daily": "5" } }]);
    }
    let object = at(document, path);
    let is_there = place == "target" && object.is_object();
    if !whole.is_null() && !is_there {
        *object = whole.clone();
    }
    if place == "flights" {
        *object = flights(members);
        return path;
    }
    let members: Map<String, Value> = serde_json::from_str(&format!("{{{}}}", expanded(members)))
        .unwrap_or_else(|error| panic!("{members}: {error}"));
    object.as_object_mut().unwrap().extend(members);
    path
}

/// What is wrong with a row, if anything is.
fn mismatch(row: &str) -> Option<String> {
    let (places, rest) = row.split_once(" | ").unwrap_or_else(|| panic!("{row}"));
    let (members, expected) = rest.rsplit_once(" |").unwrap_or_else(|| panic!("{row}"));
    let mut document = right();
    let paths = places.split('+').zip(members.split(" ++ ")).map(|(place, members)| add(&mut document, place, members));
    let path = paths.last().unwrap();
    let inside = |path_found: &str| {
        path_found.strip_prefix(path).and_then(|rest| rest.strip_prefix('.')).unwrap_or(path_found).to_owned()
    };
    let found: Vec<(String, String)> =
        found(&document).into_iter().map(|one| (format!("{} {}", inside(&one.path), one.rule), one.message)).collect();
    let expected: Vec<&str> = expected.split(" + ").map(str::trim).filter(|one| !one.is_empty()).collect();
    let is_expected = |((found, message), expected): (&(String, String), &&str)| {
        let (head, part) = expected.split_once(": ").unwrap_or((expected, ""));
        found == head && message.contains(part)
    };
    let is_right = found.len() == expected.len() && found.iter().zip(&expected).all(is_expected);
    (!is_right).then(|| format!("{row}\n    {found:?}"))
}

#[test]
fn each_row_has_its_findings() {
    let rows = ROWS.replace(" \\\n    ", " ");
    let wrong: Vec<String> = rows.lines().filter(|row| !row.is_empty()).filter_map(mismatch).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
