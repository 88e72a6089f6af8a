//! Every bound and period of the Worker, with its unit and the reason for its size.

/** Most bytes of a bid request, before and after inflating. The crate's `MAX_REQUEST_BYTES`. */
export const MAX_BODY_BYTES = 1 << 20;

/**
 * Milliseconds in which a body has to come whole, where the catalog does not tell the SSP's usual `tmax`. Most exchanges wait
 * 100 to 300 ms for an answer, some of video and audio 1000; a later answer is of no use.
 */
export const BODY_MS = 1000;

/**
 * Most bytes of all bodies that are on their way to an isolate: some 4,000 bodies of 4 KB, or 16 of the longest. An isolate has
 * 128 MB; two catalogs of 50,000 campaigns take 50 of them, and their instances at most 32 more ({@link MAX_SPARE_BYTES}).
 */
export const BODY_ROOM_BYTES = 16 << 20;

/**
 * Most bytes of a body that is read at once, if its length is known: for 25 KB that takes a quarter less processor time. Such a
 * body takes room for its whole length from the start. No public request is longer than 22 KB.
 */
export const WHOLE_BODY_BYTES = 32 << 10;

/** A body that has not come within this many milliseconds gets its own timer. */
export const NUDGE_MS = 50;

/** Milliseconds after the deadline of a body. Then the room of a dropped request is freed. */
export const FORGET_MS = 1000;

/** Bytes of room that any other body takes before its first byte; the room is then doubled as it fills. */
export const FIRST_ROOM_BYTES = 4 << 10;

/**
 * How long a request waits for the very first catalog of its isolate. Exchanges allow about
 * 100 ms in all; a later answer counts as a timeout and costs traffic, a 204 does not.
 */
export const COLD_WAIT_MS = 60;

/** A request that waited longer than this for its body or the catalog is counted as late: its exchange may have gone on. */
export const LATE_MS = 100;

/**
 * Most bytes of an instance's memory beyond its snapshot; an instance with more is replaced after the answer. Ordinary requests
 * take up to 2 MB. A replacement takes 33 ms of processor time with 50,000 campaigns, and less than 1 ms with 1,000.
 */
export const MAX_SPARE_BYTES = 16 << 20;

/** Seconds for which a network is refused after too many wrong tokens: the longest period of the platform's rate limiting. */
export const SHUT_OUT_SECONDS = 60;

/** Most refused networks that an isolate remembers, at some 100 bytes each; above that, the earliest is forgotten. */
export const MAX_SHUT_OUT = 10_000;

/** Milliseconds in which the body of a request for an explanation has to come: operators have slow lines too. */
export const EXPLAIN_BODY_MS = 10_000;

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

/** How long events gather in the isolate before they go into the queue: an isolate that ends early takes them along. */
export const EVENTS_FLUSH_MS = 1000;

/**
 * From so many bytes on they go at once, and about as many make a message: Cloudflare Queues bill each 64 KB of a message as
 * one operation, and take 128 KB at most, of which 100 bytes or so are their own.
 */
export const EVENTS_FLUSH_BYTES = 60_000;

/** Most bytes of one message; an event that is longer alone goes to the console. */
export const QUEUE_MESSAGE_BYTES = 126_000;

/** Most bytes and messages that one call may put into a queue: 256 KB and 100, less what the queue adds. */
export const QUEUE_BATCH_BYTES = 240_000;
export const QUEUE_BATCH_MESSAGES = 100;

/** How often it is tried to put events into the queue, and the first pause; what runs behind an answer has 30 s in all. */
export const QUEUE_ATTEMPTS = 4;
export const QUEUE_BACKOFF_MS = 100;

/** How often counters become points of the Analytics Engine, and most points at once: it takes 25 from one invocation. */
export const METRICS_MS = 10_000;
export const MAX_POINTS = 25;

/** Of one name a failure is told once in so many milliseconds; the others are counted. */
export const FAILURE_LOG_MS = 10_000;

/** Bytes of a post that are gathered before they go out; a post that is shorter has a Content-Length. */
export const POST_BUFFER_BYTES = 1 << 16;

/** The first pause before a post is tried again. */
export const POST_BACKOFF_MS = 200;

/** How long the collector may take for one post, and how often one is tried before the queue takes it back. */
export const COLLECTOR_TIMEOUT_MS = 5000;
export const COLLECTOR_ATTEMPTS = 3;

/** Seconds after which the queue hands out again what the collector did not take, doubled for each time that it has. */
export const QUEUE_RETRY_SECONDS = 5;
export const MAX_QUEUE_RETRY_SECONDS = 3600;
