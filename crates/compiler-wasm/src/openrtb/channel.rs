//! Where the ad appears: a website, an app or an out-of-home screen, and its publisher.

use super::{Content, Keywords};
use crate::decode::{Flag, JsonObject, object};

object! {
    /// A website (§3.2.13).
    pub struct Site {
        /// The exchange's id for the site.
        pub id: Option<String>,
        /// The site's name.
        pub name: Option<String>,
        /// The site's domain, e.g. `example.com`.
        pub domain: Option<String>,
        /// Taxonomy of the three category lists (AdCOM list). Default 1.
        pub cattax: Option<i64>,
        /// Categories of the site.
        pub cat: Vec<String>,
        /// Categories of the section.
        pub sectioncat: Vec<String>,
        /// Categories of the page.
        pub pagecat: Vec<String>,
        /// URL of the page.
        pub page: Option<String>,
        /// URL that led to the page.
        pub referrer as "ref": Option<String>,
        /// The search that led to the page.
        pub search: Option<String>,
        /// 1: the layout is made for mobile devices.
        pub mobile: Option<Flag>,
        /// 1: the site has a privacy policy.
        pub privacypolicy: Option<Flag>,
        /// The publisher.
        pub publisher: Option<Publisher>,
        /// The content around the ad.
        pub content: Option<Content>,
        /// Keywords, separated by commas.
        pub keywords: Option<Keywords>,
        /// Keywords as a list, instead of `keywords`.
        pub kwarray: Vec<String>,
        /// Domain of a partner that shares the inventory, as in its `ads.txt`.
        pub inventorypartnerdomain: Option<String>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// An app (§3.2.14).
    pub struct App {
        /// The exchange's id for the app.
        pub id: Option<String>,
        /// The app's name.
        pub name: Option<String>,
        /// The app's id in the store, or its package name.
        pub bundle: Option<String>,
        /// Domain of the developer.
        pub domain: Option<String>,
        /// URL of the app's page in the store.
        pub storeurl: Option<String>,
        /// Taxonomy of the three category lists (AdCOM list). Default 1.
        pub cattax: Option<i64>,
        /// Categories of the app.
        pub cat: Vec<String>,
        /// Categories of the section.
        pub sectioncat: Vec<String>,
        /// Categories of the view.
        pub pagecat: Vec<String>,
        /// The app's version.
        pub ver: Option<String>,
        /// 1: the app has a privacy policy.
        pub privacypolicy: Option<Flag>,
        /// 1: the paid edition of the app.
        pub paid: Option<Flag>,
        /// The publisher.
        pub publisher: Option<Publisher>,
        /// The content around the ad.
        pub content: Option<Content>,
        /// Keywords, separated by commas.
        pub keywords: Option<Keywords>,
        /// Keywords as a list, instead of `keywords`.
        pub kwarray: Vec<String>,
        /// Domain of a partner that shares the inventory, as in its `app-ads.txt`.
        pub inventorypartnerdomain: Option<String>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A digital out-of-home screen (§3.2.32).
    pub struct Dooh {
        /// The exchange's id for the placement or the group of screens.
        pub id: Option<String>,
        /// Name of the placement or the group of screens.
        pub name: Option<String>,
        /// Types of venue, in the taxonomy `venuetypetax`.
        pub venuetype: Vec<String>,
        /// Taxonomy of `venuetype` (AdCOM list). Default 1.
        pub venuetypetax: Option<i64>,
        /// The company that runs the screen.
        pub publisher: Option<Publisher>,
        /// Domain of the screen's owner.
        pub domain: Option<String>,
        /// Keywords, separated by commas.
        pub keywords: Option<Keywords>,
        /// The content around the ad.
        pub content: Option<Content>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// The publisher (§3.2.15).
    pub struct Publisher {
        /// The exchange's id for the publisher: the seller id of `ads.txt`.
        pub id: Option<String>,
        /// The publisher's name.
        pub name: Option<String>,
        /// Taxonomy of `cat` (AdCOM list). Default 1.
        pub cattax: Option<i64>,
        /// Categories of the publisher.
        pub cat: Vec<String>,
        /// The publisher's highest domain.
        pub domain: Option<String>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }
}
