//! The time at which the requests of the mix arrive.

/** Wednesday, 2026-11-18T12:00:00Z, as in the fixture tests. */
export const NOW_MS = 1_795_003_200_000;
