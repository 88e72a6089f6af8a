//! Secrets that the Worker may be given: not in `wrangler.toml`, because a variable of the same name would collide with them.

interface Env {
  /** `POST /explain/:ssp` answers where this is the bearer token. Absent or empty: it is closed. */
  OPERATOR_TOKEN?: string;
  /** The bearer token with which events are posted. Absent: none. */
  COLLECTOR_TOKEN?: string;
}
