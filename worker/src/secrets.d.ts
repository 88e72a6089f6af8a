//! Secrets that the Worker may be given: not in `wrangler.toml`, because a variable of the same name would collide with them.

interface Env {
  /** Opens `POST /explain/:ssp` to whoever sends it as a bearer token. Absent or empty: closed. */
  OPERATOR_TOKEN?: string;
  /** The bearer token with which events are posted. Absent: none. */
  COLLECTOR_TOKEN?: string;
}
