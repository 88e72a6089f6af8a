//! The Worker's optional secrets. They are not in `wrangler.toml`, because a variable of the same name would collide
//! with them.

interface Env {
  /** The operator's bearer token. Absent or empty: nobody is the operator. */
  OPERATOR_TOKEN?: string;
  /**
   * Keys that sign notice URLs, each of at least 32 characters, separated by commas. The first one signs, all are
   * accepted. Absent: bids have no notice URLs of ours.
   */
  NOTICE_KEYS?: string;
  /** Keys of encoded prices by SSP, as JSON: `{"SSP":{"encryption":"…","integrity":"…"}}`. */
  PRICE_KEYS?: string;
  /** The private key of an advertising network of SKAdNetwork, PKCS#8 PEM. Absent: bids say nothing to SKAdNetwork. */
  SKADN_KEY?: string;
  /** The bearer token for posts to the collector. Absent: the posts have no token. */
  COLLECTOR_TOKEN?: string;
}
