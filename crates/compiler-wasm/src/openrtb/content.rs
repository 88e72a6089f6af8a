//! The content around the ad, its producer, network and channel.

use super::{Data, Keywords};
use crate::decode::{Flag, JsonObject, object};

object! {
    /// Content (§3.2.16).
    pub struct Content {
        /// Unique id of the content.
        pub id: Option<String>,
        /// Number of the episode.
        pub episode: Option<i64>,
        /// Title.
        pub title: Option<String>,
        /// Series that the content belongs to.
        pub series: Option<String>,
        /// Season that the content belongs to.
        pub season: Option<String>,
        /// The artist.
        pub artist: Option<String>,
        /// Genre as free text.
        pub genre: Option<String>,
        /// Taxonomy of `genres` (AdCOM list). Default 9.
        pub gtax: Option<i64>,
        /// Genres, in the taxonomy `gtax`.
        pub genres: Vec<String>,
        /// Album that the content belongs to.
        pub album: Option<String>,
        /// International Standard Recording Code.
        pub isrc: Option<String>,
        /// The producer.
        pub producer: Option<Producer>,
        /// The URL of the content, so that buyers can classify it.
        pub url: Option<String>,
        /// Taxonomy of `cat` (AdCOM list). Default 1.
        pub cattax: Option<i64>,
        /// Categories of the content.
        pub cat: Vec<String>,
        /// Production quality (AdCOM list): 1 = professional, 2 = prosumer, 3 = by users.
        pub prodq: Option<i64>,
        /// Kind of content (AdCOM list): 1 = video, 2 = game, 3 = music and so on.
        pub context: Option<i64>,
        /// Rating, e.g. `MPAA`.
        pub contentrating: Option<String>,
        /// Rating by users, e.g. stars or likes.
        pub userrating: Option<String>,
        /// Media rating (AdCOM list): 1 = all audiences, 2 = over 12, 3 = mature.
        pub qagmediarating: Option<i64>,
        /// Keywords, separated by commas.
        pub keywords: Option<Keywords>,
        /// Keywords as a list, instead of `keywords`.
        pub kwarray: Vec<String>,
        /// 1: live content.
        pub livestream: Option<Flag>,
        /// Relation of the content to its source: 0 = indirect, 1 = direct.
        pub sourcerelationship: Option<Flag>,
        /// Length in seconds.
        pub len: Option<i64>,
        /// ISO 639-1 code of the content's language.
        pub language: Option<String>,
        /// The language as a BCP 47 tag, instead of `language`.
        pub langb: Option<String>,
        /// 1: the content may be embedded elsewhere.
        pub embeddable: Option<Flag>,
        /// Additional data about the content.
        pub data: Vec<Data>,
        /// Network that broadcasts the content.
        pub network: Option<Network>,
        /// Channel that broadcasts the content.
        pub channel: Option<Channel>,
        /// 1: shown while it happens, not delayed.
        pub realtime: Option<Flag>,
        /// 1: broadcast for the first time.
        pub firstbroadcast: Option<Flag>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// The producer of the content (§3.2.17).
    pub struct Producer {
        /// The producer's id, for syndicated content.
        pub id: Option<String>,
        /// The producer's name.
        pub name: Option<String>,
        /// Taxonomy of `cat` (AdCOM list). Default 1.
        pub cattax: Option<i64>,
        /// Categories of the producer.
        pub cat: Vec<String>,
        /// The producer's highest domain.
        pub domain: Option<String>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A network, such as a broadcaster (§3.2.23).
    pub struct Network {
        /// The network's id.
        pub id: Option<String>,
        /// The network's name.
        pub name: Option<String>,
        /// The network's main domain.
        pub domain: Option<String>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }

    /// A channel of a network (§3.2.24).
    pub struct Channel {
        /// The channel's id.
        pub id: Option<String>,
        /// The channel's name.
        pub name: Option<String>,
        /// The channel's main domain.
        pub domain: Option<String>,
        /// Extensions of the exchange.
        pub ext: Option<JsonObject>,
    }
}
