//! The time at which the requests of the mix arrive, and the time zones of generated catalogs.

/** Wednesday, 2026-11-18T12:00:00Z, as in the fixture tests. */
export const NOW_MS = 1_795_003_200_000;

/**
 * The changes of each zone: an instant in ms since the epoch, followed by the offset from UTC in minutes from then on.
 * The list is constant, so that results do not depend on the day of the run. `NOW_MS` is after the last instant.
 */
export const ZONES = {
  zones: [{ name: "Europe/Berlin", changes: [1_767_222_000_000, 60, 1_774_746_000_000, 120, 1_792_890_000_000, 60] }],
};
