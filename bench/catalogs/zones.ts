//! The time zones of generated catalogs.

/**
 * Changes of the zones that the documents name: instants in ms since the epoch, each with its offset from UTC in
 * minutes. They are constants, so that results do not depend on the day of the run. `NOW_MS` lies between them.
 */
export const ZONES = {
  zones: [{ name: "Europe/Berlin", changes: [1_767_222_000_000, 60, 1_774_746_000_000, 120, 1_792_890_000_000, 60] }],
};
