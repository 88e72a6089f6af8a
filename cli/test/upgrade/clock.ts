//! A clock that runs faster, so that a test sees an hour in some minutes.
//!
//! `Date.now` and timers follow it. Alarms follow it only in objects of {@link timed}.

/** Set when the test bundles this file: `cli/workerd.ts`. */
declare const CLOCK: { realStart: number; start: number; speed: number };

const realNow = Date.now;
const realTimeout = globalThis.setTimeout;

Date.now = () => Math.floor(CLOCK.start + (realNow() - CLOCK.realStart) * CLOCK.speed);

globalThis.setTimeout = ((work: () => void, ms = 0) => realTimeout(work, ms / CLOCK.speed)) as typeof setTimeout;

/** The time of the platform at a time of this clock. Both in milliseconds since the epoch. */
function realTime(ms: number): number {
  return CLOCK.realStart + (ms - CLOCK.start) / CLOCK.speed;
}

/** The time of this clock at a time of the platform. */
function clockTime(ms: number): number {
  return CLOCK.start + (ms - CLOCK.realStart) * CLOCK.speed;
}

export type Class = new (ctx: DurableObjectState, env: Env) => object;

/** A class whose alarms follow this clock. */
export function timed<C extends Class>(of: C): C {
  const Timed = class extends (of as Class) {
    constructor(ctx: DurableObjectState, env: Env) {
      const { storage } = ctx;
      const [set, get] = [storage.setAlarm.bind(storage), storage.getAlarm.bind(storage)];
      storage.setAlarm = (at, options) => set(realTime(Number(at)), options);
      storage.getAlarm = async (options) => {
        const at = await get(options);
        return at === null ? null : clockTime(at);
      };
      super(ctx, env);
    }
  };
  return Timed as unknown as C;
}
