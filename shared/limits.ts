//! All limits and periods of the Worker, each with its unit and the reason for its size.

/** The most bytes of a bid request, before and after inflating. The module has the same limit: `MAX_REQUEST_BYTES`. */
export const MAX_BODY_BYTES = 1 << 20;

/**
 * Milliseconds in which a body must arrive if the catalog has no usual `tmax` for the SSP. Most exchanges wait 100 to
 * 300 ms for an answer, some exchanges of video and audio 1000 ms. A later answer is useless.
 */
export const BODY_MS = 1000;

/**
 * The most bytes of all bodies that an isolate is receiving: about 4,000 bodies of 4 KB, or 16 of the longest. An
 * isolate has 128 MB, of which two catalogs of 50,000 campaigns take 50 MB, and their instances at most 32 MB more
 * ({@link MAX_SPARE_BYTES}).
 */
export const BODY_ROOM_BYTES = 16 << 20;

/**
 * The most bodies that an isolate is receiving. A request that waits for its body takes about 52 KB in workerd, however
 * short the body is: at this number, 52 MB. An isolate at its highest rate receives up to 64 at a time.
 */
export const MAX_WAITING_BODIES = 1000;

/**
 * The part of the bytes and of the bodies that one SSP may take. Bodies longer than {@link WHOLE_BODY_BYTES} may take
 * this part of the isolate's bytes and of the SSP's: callers that send long bodies slowly leave room for all others.
 */
export const ROOM_SHARE = 0.5;

/**
 * The most bytes of a body of known length that is read at once, which takes a quarter less processor time for 25 KB.
 * Such a body reserves its whole length from the start. No publicly available bid request is longer than 22 KB.
 */
export const WHOLE_BODY_BYTES = 32 << 10;

/**
 * The most members of a gzip body. Requests have one; 52,000 empty members fit into a body, and take tens of
 * milliseconds.
 */
export const MAX_GZIP_MEMBERS = 16;

/** A body that has not arrived after this many milliseconds gets its own timer. */
export const NUDGE_MS = 50;

/** Milliseconds from a body's deadline until the bytes that a dropped request reserved are freed. */
export const FORGET_MS = 1000;

/** Bytes that a body in parts reserves before its first byte arrives. The reservation doubles whenever it is full. */
export const FIRST_ROOM_BYTES = 4 << 10;

/**
 * Milliseconds that a request waits for its isolate's first catalog, then it gets a 204. Exchanges allow about 100 ms
 * in all. A later answer counts as a timeout, and an exchange sends fewer requests to a bidder with timeouts.
 */
export const COLD_WAIT_MS = 60;

/**
 * A request that waited for its body or the catalog longer than this, in milliseconds, is counted as late: the exchange
 * may have stopped waiting.
 */
export const LATE_MS = 100;

/**
 * The most bytes of an instance's memory besides its snapshot. An instance with more is replaced after the answer.
 * Ordinary requests take up to 2 MB. A replacement takes 33 ms of processor time with 50,000 campaigns, and less than 1
 * ms with 1,000.
 */
export const MAX_SPARE_BYTES = 16 << 20;

/**
 * Seconds that a network is refused after too many wrong tokens: the longest period of the platform's rate limiting.
 */
export const SHUT_OUT_SECONDS = 60;

/**
 * The most refused networks that an isolate remembers, at about 100 bytes each. If there are more, the oldest is
 * forgotten.
 */
export const MAX_SHUT_OUT = 10_000;

/** Milliseconds in which the body of a request for an explanation must arrive. An operator may have a slow line. */
export const EXPLAIN_BODY_MS = 10_000;

/** Milliseconds after which an unfinished refresh is given up and another may start. */
export const REFRESH_TIMEOUT_MS = 10_000;

/** The default of the variable CATALOG_REFRESH_SECONDS. */
export const REFRESH_SECONDS = 30;

/** Seconds that an edge location may serve the pointer from its cache. KV allows no less. */
export const KV_CACHE_TTL_SECONDS = 30;

/**
 * The most bytes of a document that an isolate compiles itself, if it cannot use the snapshot of another build.
 * Compiling takes 13 to 15 times the document's size in memory, and an isolate has 128 MB. A document of 4 MB has about
 * 8,000 campaigns; to compile it takes 51 MB and 0.8 s of processor time.
 */
export const MAX_COMPILED_BYTES = 4 << 20;

/** One in this many differences between two versions is logged. */
export const SHADOW_LOG_EVERY = 100;

/**
 * Seconds that an edge location may serve a snapshot from its cache. Versions are immutable, so one day does no harm,
 * and new isolates find the snapshot nearby.
 */
export const VERSION_CACHE_TTL_SECONDS = 86_400;

/** Seconds that our id for a browser is valid. Another visit does not extend it. */
export const OUR_ID_SECONDS = 90 * 86_400;

/**
 * Seconds that an exchange's id for a browser is valid without another sync. OpenRTB 2.6, Appendix C: 14 to 60 days.
 */
export const PARTNER_ID_SECONDS = 60 * 86_400;

/** Seconds that an opt-out is valid. Browsers keep no cookie longer. */
export const OPT_OUT_SECONDS = 400 * 86_400;

/** The most bytes of a cookie with its name, value and attributes (RFC 6265, section 6.1). */
export const MAX_COOKIE_BYTES = 4096;

/**
 * Milliseconds that events wait in the isolate before they go into the queue. If the isolate ends earlier, these events
 * are lost.
 */
export const EVENTS_FLUSH_MS = 1000;

/**
 * When the waiting events have this many bytes, they go into the queue at once. Messages have about this size, because
 * Cloudflare Queues bill one operation for each 64 KB of a message.
 */
export const EVENTS_FLUSH_BYTES = 60_000;

/**
 * The most bytes of one message. The queue takes 128 KB, of which about 100 bytes are the queue's own data. A longer
 * event goes to the console.
 */
export const QUEUE_MESSAGE_BYTES = 126_000;

/**
 * The most bytes and messages of one call to the queue: it takes 256 KB and 100 messages, and adds some bytes itself.
 */
export const QUEUE_BATCH_BYTES = 240_000;
export const QUEUE_BATCH_MESSAGES = 100;

/** Attempts to put events into the queue, and the first pause in ms. All work after an answer must end within 30 s. */
export const QUEUE_ATTEMPTS = 4;
export const QUEUE_BACKOFF_MS = 100;

/** Milliseconds between writes to the Analytics Engine, and the most points of a write: one invocation may write 25. */
export const METRICS_MS = 10_000;
export const MAX_POINTS = 25;

/** Failures of the same name are logged once in this many milliseconds. Further failures are only counted. */
export const FAILURE_LOG_MS = 10_000;

/** The size of the buffer of a post or a report in bytes. A body that fits into it has a Content-Length. */
export const BODY_BUFFER_BYTES = 1 << 16;

/** Milliseconds of the first pause before a post is tried again. */
export const POST_BACKOFF_MS = 200;

/** Milliseconds that the collector may take for one post, and attempts before the messages go back to the queue. */
export const COLLECTOR_TIMEOUT_MS = 5000;
export const COLLECTOR_ATTEMPTS = 3;

/** Seconds after which the queue delivers failed messages again, at first and at most. They double each time. */
export const QUEUE_RETRY_SECONDS = 5;
export const MAX_QUEUE_RETRY_SECONDS = 3600;

/**
 * Objects of the ledger for each day. The platform allows an object about 1,000 requests a second, so a day's objects
 * together take 32,000. A token names its shard, so shards may be added on any day. A report asks no shard beyond this
 * number: if you lower it, reports miss the other shards of the last {@link NOTICE_DAYS} days. At most 255.
 *
 * At 10,000 requests a second with 10 % bids and 10 % wins, an object gets 270,000 bills of its day. They take 110
 * bytes each on disk, 30 MB together. Their sums take about 290 bytes each in memory, so at most 78 MB of the
 * platform's 128 MB, if every bill has its own campaign, creative, SSP and quarter.
 */
export const LEDGER_SHARDS = 32;

/** The most host names whose settings of notices an isolate remembers: a caller can name any. */
export const MAX_ORIGINS = 8;

/**
 * Milliseconds that a bill waits for others, which are then booked with it in one transaction. With 50 callers, an
 * object books as many bills a second as without this wait; with 6 ms, it books a fifth less.
 */
export const COMMIT_MS = 3;

/** The most bills of one transaction. They take about 50 ms, in which the object does nothing else. */
export const COMMIT_BILLS = 1000;

/**
 * Milliseconds between writes of an object's counts. If the object ends earlier, these counts are lost. A day of one
 * kind of count then costs up to 46,000 rows in all objects, which is 0.05 US dollars.
 */
export const COUNTS_MS = 60_000;

/**
 * The most rows of bills that an object of the ledger keeps for the pacer, at about 150 bytes each. The pacer takes
 * them every five seconds, in which an object books up to 5,000 bills. If the pacer does not call, the object forgets
 * them, and sends all sums at the next call.
 */
export const MAX_CHANGES = 20_000;

/**
 * Days from the start of a UTC day until its ledger takes no more notices. For a bid at the end of the day, seven of
 * them are left, so no notice may be valid longer than seven days.
 */
export const NOTICE_DAYS = 8;

/**
 * Days for which an encoded price that a page has shown is known, so that no page can show it for another bid. 100 such
 * prices a second take 260 million rows of 40 bytes, 330 MB in each object.
 */
export const SEALED_DAYS = 30;

/**
 * Milliseconds after {@link NOTICE_DAYS} until the totals are handed over: clocks differ, and bills may not be on disk
 * yet.
 */
export const HANDOVER_MS = 3_600_000;

/** Milliseconds between the handovers of two objects of a day, so that the summary does not get all of them at once. */
export const HANDOVER_APART_MS = 60_000;

/** Milliseconds until a failed handover is tried again. The platform itself tries only six times in some minutes. */
export const HANDOVER_RETRY_MS = 600_000;

/**
 * Milliseconds from the start of a UTC day until the summary calls the objects that have not handed over their totals:
 * all of them should have, at the latest an hour and a half after it. Also until it calls them again.
 */
export const OVERDUE_MS = 3 * 3_600_000;

/**
 * The most sums, weights or names of one call to the summary. A sum takes up to 330 bytes and a weight 170, so a call has
 * at most 1.5 MB: the platform allows 32 MB for a call, and 2 MB for a stored text.
 */
export const HANDOVER_SUMS = 3000;

/**
 * How many of these calls the summary adds to its tables at once. Each takes about 0.3 s; all of an
 * object's could take longer than `cpu_ms` of `wrangler.toml` allows.
 */
export const FOLDED_CHUNKS = 5;

/** Milliseconds by which two clocks of the platform may differ. */
export const CLOCKS_MS = 10_000;

/**
 * If the bids cost more than this many times the bills of a campaign at an SSP on a day, the summary adds up such days
 * apart, because budgets then count the bids. The module, which decides that, has the same number: `IMPLAUSIBLE` in
 * `crates/pacing/src/terms.rs`.
 */
export const IMPLAUSIBLE = 20;

/** Days for which a report still asks an object that should have handed over its totals. */
export const HANDOVER_DAYS = 7;

/**
 * The most days of one report. 400 days are enough to compare a month with the same month of the year before.
 */
export const MAX_REPORT_DAYS = 400;

/** Milliseconds that a report waits for an object of the ledger. One that starts again needs up to 1.4 s. */
export const REPORT_MS = 10_000;

/**
 * The most totals of one answer of an object to a report, at about 170 bytes each. Adding them up takes the isolate some
 * 20 ms, in which it answers no bid request.
 */
export const PAGE_TOTALS = 8000;

/** Objects that a report asks at once: their answers take up to 22 MB together. */
export const PAGES_AT_ONCE = 16;

/**
 * The most attempts of a report. It begins again if the summary has taken an object's totals meanwhile. At night, the
 * objects of a day hand theirs over within some seconds of each other, so a report may meet several of them.
 */
export const REPORT_ATTEMPTS = 20;

/** The most days for which a report asks the summary in one call. */
export const REPORT_DAYS = 7;

/**
 * The most rows that a report holds at once, at about 400 bytes each: those of a day and of the next, if it has days. With
 * rows by campaign and SSP, 2,500 campaigns at ten SSPs.
 */
export const MAX_REPORT_ROWS = 50_000;

/**
 * The most totals that one report adds up, from all objects. They take 6 s of processor time, in pieces of some
 * milliseconds; `wrangler.toml` allows 10 s.
 */
export const MAX_REPORT_TOTALS = 2_000_000;

/** Assertions that did not hold and that an isolate remembers. Only tests take them; in production the log has them. */
export const MAX_BROKEN = 100;

/** Milliseconds that `/healthz` waits for the pacer. */
export const ALARMS_MS = 3000;

/**
 * Seconds after which a report is asked for again if the ledger could not answer. An object restarts in less than two.
 */
export const REPORT_RETRY_SECONDS = 5;

/**
 * Objects of frequency caps in each region. The platform allows an object about 1,000 requests a second, so a region can ask
 * about 64,000 people a second. A token has the object's number among all regions, in two bytes. With another number, the
 * counts of most people would be lost.
 */
export const FREQUENCY_OBJECTS = 64;

/**
 * Days after the last impression until a cap for the lifetime forgets a person. Ids of devices and browsers seldom live
 * longer, and nothing about a person may be kept forever.
 */
export const LIFETIME_DAYS = 180;

/**
 * The most campaigns and creatives that an object counts for one person, at about 300 bytes each. At this number, the
 * person sees no further campaign with a cap until some of them expire.
 */
export const MAX_SUBJECTS = 200;

/**
 * The most bids that wait in an object for a bill, at about 150 bytes each: 600 MB of the 10 GB that an object may
 * store. At this number, the object refuses every campaign with a cap. With 10,000 requests a second in one region, 10
 * % bids, and caps on 30 % of the bids, an object has 810,000 in 48 hours.
 */
export const MAX_PENDING = 4_000_000;

/**
 * The most rows of campaigns and creatives that an object counts, of all people, at about 300 bytes each: 6 GB. At this
 * number, a person sees none with a cap that the object does not count yet, until counts expire. The platform gives 10 GB:
 * if all were used up, nothing could be counted, and caps would hold nobody back. Bytes are no limit here: half of the rows
 * can expire before their pages are free.
 */
export const MAX_SEEN = 20_000_000;

/**
 * The most bids of one person that wait in an object for a bill. If a person reaches this number within some hours, it
 * is a program, or the exchange does not bill. Campaigns with caps bid again after {@link EXPIRE_MS}.
 */
export const MAX_WAITING = 100;

/**
 * The most people whose waiting bids an object counts, at about 150 bytes each. With more, it starts counting again.
 */
export const MAX_WAITING_PEOPLE = 100_000;

/**
 * The most billed bids that an object remembers, at about 100 bytes each. A bill comes a second after its bid at the
 * earliest, and the call that tells of the bid is tried for some seconds.
 */
export const MAX_BILLED = 10_000;

/** Milliseconds between two deletions of expired rows, and the most rows of each table in one deletion. */
export const EXPIRE_MS = 6 * 3_600_000;
export const EXPIRE_BATCH = 10_000;

/**
 * Milliseconds between two hand-overs of an isolate's counts to the ledger. If the isolate ends earlier, they are lost.
 */
export const TALLY_MS = 5000;

/**
 * The most rows of counts that wait in an isolate, at about 300 bytes each. Events that need another row are not
 * counted.
 */
export const MAX_COUNTS = 10_000;

/** Milliseconds in which the body of a notice must be complete. */
export const NOTICE_BODY_MS = 1000;

/**
 * Seconds after which an exchange should send a notice again that could not be booked. An object restarts in less than
 * two.
 */
export const NOTICE_RETRY_SECONDS = 5;

/** The most handled notices in each of the two sets that an isolate remembers, at about 100 bytes each. */
export const MAX_REPEATS = 10_000;

/**
 * Milliseconds that a notice waits for its isolate's first catalog. A browser or player calls once and never again, so
 * the notice waits longer than a bid request.
 */
export const NOTICE_WAIT_MS = 5000;

/**
 * The most requests and notices of an isolate that wait for its first catalog while another notice may wait too: it gets
 * a 503 at once. Each takes about 52 KB, so at this number 26 MB, and KV may be out for minutes.
 */
export const MAX_WAITING_NOTICES = 500;

/** Attempts to book or to keep what a refused bill weighs, and the first pause in ms. Browsers and players do not repeat a call that got a 503. */
export const BOOK_ATTEMPTS = 3;
export const BOOK_BACKOFF_MS = 200;

/**
 * Milliseconds between two ticks of the pacer. It does not know the bids since the last tick, so a longer time means
 * more overspend. An alarm writes one row: 17,280 a day are 0.02 US dollars.
 */
export const PACER_MS = 5000;

/**
 * The most pairs of a budget and an SSP that one pacer has, where a budget itself takes as much as {@link BUDGET_PAIRS}
 * of them; with more, the budgets are spread over several pacers, up to {@link MAX_PACERS}. Measured: `docs/budgets.md`.
 */
export const PACER_PAIRS = 8000;
export const BUDGET_PAIRS = 2;
export const MAX_PACERS = 64;

/** After so many milliseconds without a call, a pacer stops, unless it is the first one: the catalog needs fewer now. */
export const PACER_IDLE_MS = 600_000;

/** If no tick came for this many periods, the alarm is late, and the next call of a relay starts a tick. */
export const LATE_TICKS = 2;

/** Milliseconds that a tick waits for an object of the ledger. One that starts again needs up to 1.4 s. */
export const PULL_MS = 2000;

/**
 * Objects of the ledger that the pacer asks at once. An object that has started again sends all its sums: with 1,000
 * campaigns at ten SSPs and 10,000 requests a second, 0.7 MB, or 1.2 MB if midnight is not that of UTC. The pacer holds
 * the sums of 64 objects, which is two days, and of eight days for campaigns with a total budget: see `docs/budgets.md`.
 */
export const READ_AT_ONCE = 16;

/**
 * Campaigns whose past days the pacer asks the summary for in one call, and milliseconds that it waits for the answer.
 * 250 campaigns at ten SSPs for a year would take 7 s, and the object answers nothing else meanwhile.
 */
export const ASKED_AT_ONCE = 250;
export const SUMMARY_MS = 10_000;

/**
 * After this many readings without an answer, a minute, the pacer assumes the mean of the other objects for an object
 * of the ledger. Until then, its bids count as not billed yet.
 */
export const MISSED_READINGS = 12;

/**
 * Milliseconds after the end of a UTC day in which its bills are still read with each tick. Most notices come within a
 * minute, some exchanges send them an hour later.
 */
export const DAY_END_MS = 2 * 3_600_000;

/** Milliseconds between later readings of yesterday's bills, and between readings of the bills of older days. */
export const YESTERDAY_MS = 60_000;
export const OLDER_MS = 600_000;

/** Milliseconds between two readings of the totals of closed days, and until a failed reading is tried again. */
export const PAST_MS = 3_600_000;
export const PAST_RETRY_MS = 30_000;

/** Milliseconds that the pacer waits for its first catalog. */
export const PACER_CATALOG_MS = 5000;

/**
 * Milliseconds between two writes of the pacer's state. A pacer that starts again does not know the bids since the last
 * write until they are billed. With 1,000 campaigns at ten SSPs, the state takes 4 to 9 MB.
 */
export const SAVE_MS = 10_000;

/**
 * How many numbers of shares a pacer that starts again leaves out: more than it can have given since the last write. A
 * number is a time in milliseconds, if the clock was not set back, and there is a write each {@link SAVE_MS}.
 */
export const NUMBERS_UNSAVED = 60_000;

/** The most characters in one row of the pacer's saved state. The platform allows 2 MB, and bills each row. */
export const SAVED_ROW = 1_000_000;

/** Milliseconds between two writes of the shares to KV, which allows one write a second for each key. */
export const SHARES_STORED_MS = 20_000;

/** The most relays whose last parcel the pacer remembers. A relay that starts again counts as another one. */
export const MAX_PARCELS = 10_000;

/** Milliseconds between two exchanges of an isolate with its relay, and of a relay with the pacer. */
export const EXCHANGE_MS = 5000;

/** The most different things that notices may tell about prices between two exchanges: a busy spot has about twenty. */
export const MAX_TOLD = 4096;

/**
 * Milliseconds without an exchange after which the next one does not wait for its turn: there were no requests, and the
 * shares are old. Long before shares are halved, and longer than an exchange that fails.
 */
export const IDLE_MS = 30_000;

/** How many relays an isolate tries in one exchange. The counts are lost if none answers. */
export const EXCHANGE_ATTEMPTS = 2;

/** Milliseconds that an isolate waits for its relay. It asks after an answer, so no bid waits. */
export const EXCHANGE_TIMEOUT_MS = 3000;

/** Milliseconds that a relay waits for the pacer before it sends its counts again. */
export const RELAY_TIMEOUT_MS = 10_000;

/** Milliseconds that the first caller of a relay waits for the first shares. */
export const FIRST_SHARES_MS = 1000;

/**
 * Relays of one region. The platform allows an object about 1,000 requests a second. 6,000 isolates that exchange every
 * five seconds make 1,200 a second: 150 for each relay, if all are in one region.
 */
export const RELAYS = 8;

/** Milliseconds without a relay after which an isolate reads the shares in KV, and between two such readings. */
export const SHARES_FALLBACK_MS = 30_000;

/**
 * The most bytes of snapshots of extra bidders (`catalog/extra-bidders.ts`), about 33,000 campaigns in all. An
 * explanation takes two more copies of one snapshot: with two serving catalogs of 50,000 campaigns, that is 98 MB of
 * the platform's 128.
 */
export const MAX_EXTRA_BYTES = 16 << 20;

/**
 * Milliseconds that an extra bidder stays after its last question, so that editing a request in the page stays quick.
 */
export const EXTRA_KEEP_MS = 10_000;

/** Milliseconds that a question waits for a version that another question builds, and between two looks at it. */
export const EXTRA_WAIT_MS = 10_000;
export const EXTRA_LOOK_MS = 20;

/**
 * The most bytes of a catalog's document that the inspector compares, about 16,000 campaigns. As an object, it takes up to
 * four times its size in memory, and a diff has two documents.
 */
export const MAX_INSPECTED_BYTES = 8 << 20;

/** The most changes in one answer to the inspector. A person does not read more. */
export const MAX_LISTED = 1000;

/** The largest number of the first campaign in an answer to the inspector: no catalog has so many. */
export const MAX_LISTED_FROM = 1e6;

/** The most campaigns in one answer to the inspector, each described in sentences: a page of its list. */
export const MAX_DESCRIBED = 25;

/** The most bytes of a request that is captured. No publicly available bid request is longer than 22 KB. */
export const CAPTURE_BYTES = 64 << 10;

/** Milliseconds between two lines of a tail with the changes of the counters. */
export const TAIL_LINE_MS = 1000;

/**
 * Milliseconds after which a tail takes the requests that wait for it. It redacts them together; bids wait for that.
 */
export const TAIL_DRAIN_MS = 100;

/**
 * The most requests that wait for one tail, and their bytes. Redacting one of 2 KB takes 85 µs, so the isolate is
 * blocked for at most 9 ms. Further requests are lost: a tail gets at most 1,000 a second.
 */
export const TAIL_WAITING = 100;
export const TAIL_WAITING_BYTES = 1 << 20;

/** Milliseconds after which a tail that does not take its requests counts as gone. */
export const TAIL_LOST_MS = 5000;

/** The most tails of one isolate that get requests. Each keeps up to {@link TAIL_WAITING_BYTES}. */
export const MAX_TAILS = 4;

/** Seconds that a tail lasts, by default and at most. A caller may ask again. */
export const TAIL_SECONDS = 60;
export const MAX_TAIL_SECONDS = 3600;

/** The largest M of a tail that gets one in M requests: at 10,000 requests a second, one in two minutes. */
export const MAX_ONE_IN = 1e6;

/**
 * The most bytes of a message about a deal, and the most entries of one of its lists. 1,000 domains of sites take about
 * 25 KB. A deal with more sites is not one that a person can check.
 */
export const MAX_DEAL_BYTES = 64 << 10;
export const MAX_DEAL_ENTRIES = 1000;

/** The most characters of a text in a deal: a `deal.id` of a bid request may have 512 bytes. */
export const MAX_DEAL_TEXT = 512;

/** The deepest nesting of a message about a deal: the specification has three levels, and `ext` may have more. */
export const MAX_DEAL_DEPTH = 10;

/** The most problems of a message that the answer lists. */
export const MAX_DEAL_PROBLEMS = 10;

/**
 * The most different messages that are kept of an SSP, and their bytes. `GET /deals` answers with all deals at once, and the
 * platform passes at most 32 MB between an object and the Worker.
 */
export const MAX_DEALS = 5000;
export const MAX_DEALS_BYTES = 12e6;

/**
 * The most different messages that are kept of one deal, so that one deal cannot take the room of the others. Of more, the
 * oldest is forgotten that neither counts nor was decided on.
 */
export const MAX_DEAL_VERSIONS = 50;

/**
 * Days after the last message until a deal that is over is forgotten, if the room is needed. Longer than
 * any queue or person keeps a message to send it again.
 */
export const KEEP_OVER_DAYS = 400;
