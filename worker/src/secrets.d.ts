//! The Worker's optional secrets, and other bindings that `wrangler.toml` may leave out. Secrets are not in that file,
//! because a variable of the same name would collide with them.

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
  /**
   * The private key of an advertising network of SKAdNetwork, PKCS#8 PEM. Absent: bids carry nothing for SKAdNetwork.
   */
  SKADN_KEY?: string;
  /** The bearer token for posts to the collector. Absent: the posts have no token. */
  COLLECTOR_TOKEN?: string;
  /**
   * `anybody`: every caller is the operator. `local`: every caller whose URL names `localhost` or this machine's own
   * address. So a web page cannot call through a domain of its own that resolves to this machine. No file sets this
   * variable: `npm start` passes `local` on the command line of `wrangler dev`, so no deployment gets it by accident. A
   * name cannot prove that a caller is local, because proxies change it.
   */
  OPERATOR?: string;
  /** The `request.json` of the folder that `npm start` serves, on which the inspector opens. */
  REQUEST?: string;
  /** The options that lead commands to the KV of `npm start`, such as `--local`. Absent in a deployment. */
  LOCAL_KV?: string;
}

/** The environment with the bindings that `wrangler.toml` may leave out: {@link Env} would collide with them. */
type Bindings = Env & {
  ATTEMPTS?: RateLimit;
  EVENTS?: Queue<Uint8Array>;
  METRICS?: AnalyticsEngineDataset;
};

/** Where work continues after the answer. */
type Background = Pick<ExecutionContext, "waitUntil">;
