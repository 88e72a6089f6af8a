//! Virtual time: events run one after the other, in the order of their times. Between two events, all code runs until
//! it waits for another event. Nothing here depends on the real clock, so a seed always gives the same trace.

/** An event that has not run yet. */
interface Event {
  /** Milliseconds since the epoch, with fractions. */
  at: number;
  /** Events of one time run in the order in which they were planned. */
  number: number;
  run: () => void;
  isCancelled: boolean;
}

/** Cancels an event, if it has not run yet. */
export type Cancel = () => void;

/** Milliseconds between two looks whether some work is done. */
const STEP_MS = 100;

export class World {
  readonly seed: number;
  /** A line for each thing that happened; for each call only if `hasCalls`, because they are most of the lines. */
  readonly trace: string[] = [];
  readonly hasCalls: boolean;
  #now: number;
  #number = 0;
  /** A binary heap: the next event is entry 0. */
  readonly #events: Event[] = [];
  #endings: (() => void)[] = [];
  #failure: { error: unknown } | undefined;
  /** Whose code the present event runs. */
  #owner: object | undefined;

  /** `now`: the time at the start, in milliseconds since the epoch. */
  constructor(seed: number, now: number, hasCalls: boolean) {
    [this.seed, this.#now, this.hasCalls] = [seed, now, hasCalls];
  }

  get now(): number {
    return this.#now;
  }

  /** Plans an event. A time that has passed means now. */
  at(time: number, run: () => void): Cancel {
    const event = { at: Math.max(time, this.#now), number: this.#number++, run, isCancelled: false };
    this.#push(event);
    return () => {
      event.isCancelled = true;
    };
  }

  after(ms: number, run: () => void): Cancel {
    return this.at(this.#now + ms, run);
  }

  /** Resolves after so many milliseconds of virtual time. */
  pause(ms: number): Promise<void> {
    return new Promise((done) => this.after(ms, done));
  }

  /** Calls `run` when all code that this event has started waits for others. */
  atEndOfTurn(run: () => void): void {
    this.#endings.push(run);
  }

  /** The present event runs code of this one. An event runs code of one only: its promises know no other. */
  own(owner: object): void {
    if (this.#owner !== undefined && this.#owner !== owner) throw new Error("one event runs code of two instances");
    this.#owner = owner;
  }

  /** Ends {@link until} with an error. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Runs until this work is done, which waits for events. Its result. */
  async complete<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    while (!isOver) await this.until(this.#now + STEP_MS);
    return work;
  }

  /** Writes a line of the trace. */
  tell(who: string, what: string): void {
    this.trace.push(`${new Date(this.#now).toISOString().slice(5, 23)} ${who} ${what}`);
  }

  /** Runs all events until a time. */
  async until(time: number): Promise<void> {
    for (let next = this.#events[0]; next !== undefined && next.at <= time; next = this.#events[0]) {
      this.#pop();
      if (next.isCancelled) continue;
      this.#now = next.at;
      this.#owner = undefined;
      next.run();
      await turn();
      for (const end of this.#endings.splice(0)) end();
      if (this.#failure) throw this.#failure.error;
    }
    this.#now = Math.max(this.#now, time);
  }

  #push(event: Event): void {
    const heap = this.#events;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent] as Event, event)) break;
      heap[at] = heap[parent] as Event;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): void {
    const heap = this.#events;
    const last = heap.pop() as Event;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child++;
      if (isBefore(last, heap[child] as Event)) break;
      heap[at] = heap[child] as Event;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.number < b.number);
}

/** After so many turns, Node looks at its own events, such as signals, which takes longer than a turn. */
const LOOK_TURNS = 1000;
let turns = 0;

/** Resolves when no promise can go on any more: Node runs the next tick only then. */
function turn(): Promise<void> {
  return new Promise((done) => (++turns % LOOK_TURNS === 0 ? setImmediate(done) : process.nextTick(done)));
}
