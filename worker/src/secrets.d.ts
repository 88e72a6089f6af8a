//! The Worker's optional secrets. They are not in `wrangler.toml`, because a variable of the same name would collide
//! with them.

interface Env {
  /** The operator's bearer token. Absent or empty: nobody is the operator. */
  OPERATOR_TOKEN?: string;
  /** The bearer token for posts to the collector. Absent: the posts have no token. */
  COLLECTOR_TOKEN?: string;
}
