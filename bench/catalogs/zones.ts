//! What the host tells of time zones, for generated catalogs.

/**
 * The time zones that the documents name: instants in ms since the epoch and minutes from UTC. Written
 * down, so that results do not depend on the day of the run; `NOW_MS` is in between.
 */
export const ZONES = {
  zones: [{ name: "Europe/Berlin", changes: [1_767_222_000_000, 60, 1_774_746_000_000, 120, 1_792_890_000_000, 60] }],
};
