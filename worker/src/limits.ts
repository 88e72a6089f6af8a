//! Every bound and period of the Worker, with its unit and the reason for its size.

/** Most bytes of a bid request, before and after inflating. The crate's `MAX_REQUEST_BYTES`. */
export const MAX_BODY_BYTES = 1 << 20;

/**
 * How long a request waits for the very first catalog of its isolate. Exchanges allow about
 * 100 ms in all; a later answer counts as a timeout and costs traffic, a 204 does not.
 */
export const COLD_WAIT_MS = 60;

/** After this long an unfinished refresh is given up for lost, and another may start. */
export const REFRESH_TIMEOUT_MS = 10_000;

/** Default of the variable CATALOG_REFRESH_SECONDS. */
export const REFRESH_SECONDS = 30;

/** How long an edge location may serve the pointer from its cache; KV allows no less. */
export const KV_CACHE_TTL_SECONDS = 30;

/**
 * Most bytes of a pushed document that an isolate compiles by itself, because the snapshot was made by another build. Compiling
 * takes 13 to 15 times its size in memory, of which an isolate has 128 MB: 51 MB, and 0.8 s of processor time, for 4 MB, which are
 * some 8,000 campaigns.
 */
export const MAX_COMPILED_BYTES = 4 << 20;

/** Of how many differences between two versions one goes into the log. */
export const SHADOW_LOG_EVERY = 100;

/** The same for the snapshot of a version, which never changes: one day, so that cold isolates find it near. */
export const VERSION_CACHE_TTL_SECONDS = 86_400;

/** How long our id for a browser lasts, from the day on which it was made. */
export const OUR_ID_SECONDS = 90 * 86_400;

/** How long an exchange's id for a browser lasts without another sync. OpenRTB 2.6, Appendix C: 14 to 60 days. */
export const PARTNER_ID_SECONDS = 60 * 86_400;

/** How long an opt-out lasts: the longest that browsers keep a cookie. */
export const OPT_OUT_SECONDS = 400 * 86_400;

/** Most bytes of a cookie: name, value and attributes (RFC 6265 §6.1). */
export const MAX_COOKIE_BYTES = 4096;
