//! The storage of one object: a database in memory, and a journal of what was written. It outlives the object's
//! instances.
//!
//! Writes of one turn are durable together, some milliseconds later. A crash keeps a beginning of the journal that ends
//! between two turns and has everything that was confirmed.

import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Dice } from "./dice.ts";
import type { Rates } from "./rates.ts";
import type { World } from "./world.ts";

type Entry = { query: string; bindings: SQLInputValue[] } | { alarm: number | null } | "delete";
type Row = Record<string, SQLInputValue>;

const READS = /^\s*(SELECT|WITH)\b/i;
const RETURNS = /\bRETURNING\b/i;

/** Answers the reads of all objects that have not written anything yet: most objects never do. */
const EMPTY = new DatabaseSync(":memory:");
const EMPTY_STATEMENTS = new Map<string, StatementSync>();

export class Storage {
  /** When the alarm rings, as the object sees it. */
  alarm: number | null = null;
  /** Until then, nothing can be written. */
  fullUntil = 0;
  /** Called with the alarm that is durable now. */
  onAlarm: (alarm: number | null) => void = () => {};
  /** Called if the disk fails: the platform ends the instance. */
  onFailure: () => void = () => {};
  readonly #world: World;
  readonly #dice: Dice;
  readonly #rates: Rates;
  #database = EMPTY;
  #statements = EMPTY_STATEMENTS;
  #journal: Entry[] = [];
  /** The lengths of the journal at the ends of turns whose writes are not durable yet, and the length that is. */
  #turns: number[] = [];
  #durable = 0;
  #durableAt = 0;
  #isOpen = false;
  #waiting: { length: number; run: () => void }[] = [];
  /** Crashes so far: what was under way before the last one is void. */
  #crashes = 0;

  constructor(world: World, dice: Dice, rates: Rates) {
    [this.#world, this.#dice, this.#rates] = [world, dice, rates];
  }

  /** Calls `run` as soon as all that was written until now is durable; never, if it gets lost. */
  whenDurable(run: () => void): void {
    if (this.#journal.length === this.#durable) run();
    else this.#waiting.push({ length: this.#journal.length, run });
  }

  /** Runs a statement: the rows that it returns, and how many it has written. */
  exec(query: string, bindings: SQLInputValue[]): { rows: Row[]; written: number } {
    const isRead = READS.test(query);
    if (!isRead) {
      this.#assertWritable();
      this.#open();
    }
    const answer = this.#run(query, bindings);
    if (!isRead) this.#write({ query, bindings });
    return answer;
  }

  transaction<T>(work: () => T): T {
    const { length } = this.#journal;
    const { alarm } = this;
    this.#open();
    this.#run("SAVEPOINT work", []);
    try {
      const result = work();
      this.#run("RELEASE work", []);
      return result;
    } catch (error) {
      this.#run("ROLLBACK TO work", []);
      this.#run("RELEASE work", []);
      this.#journal.length = length;
      this.alarm = alarm;
      throw error;
    }
  }

  setAlarm(alarm: number | null): void {
    this.#assertWritable();
    this.alarm = alarm;
    this.#write({ alarm });
  }

  /** The alarm has rung. */
  clearAlarm(): void {
    this.alarm = null;
    this.#write({ alarm: null });
  }

  /** Deletes all tables, and the alarm. */
  deleteAll(): void {
    this.#empty();
    this.#write("delete");
  }

  /** What a query finds, for those who judge the world from outside. */
  peek<T>(query: string): T[] {
    return this.#run(query, []).rows as T[];
  }

  get isEmpty(): boolean {
    return this.peek("SELECT 1 FROM sqlite_master").length === 0;
  }

  /** Forgets what is not durable; but some of it may be, although nobody was told. */
  crash(): void {
    this.#crashes++;
    [this.#isOpen, this.#waiting] = [false, []];
    const kept = [this.#durable, ...this.#turns][this.#dice.below(this.#turns.length + 1)] ?? 0;
    this.#turns = [];
    if (kept < this.#journal.length) {
      this.#journal.length = kept;
      this.#empty();
      for (const entry of this.#journal.splice(0)) this.#repeat(entry);
    } else {
      this.alarm = alarmIn(this.#journal);
    }
    this.#durable = kept;
    this.onAlarm(this.alarm);
  }

  #assertWritable(): void {
    const isFull = this.#world.now < this.fullUntil;
    if (isFull || this.#dice.chance(this.#rates.throws)) throw new Error("the simulated disk refuses to write");
  }

  #repeat(entry: Entry): void {
    this.#journal.push(entry);
    if (entry === "delete") this.#empty();
    else if ("alarm" in entry) this.alarm = entry.alarm;
    else {
      this.#open();
      this.#run(entry.query, entry.bindings);
    }
  }

  /** Makes a database of its own before the first write. */
  #open(): void {
    if (this.#database !== EMPTY) return;
    [this.#database, this.#statements] = [new DatabaseSync(":memory:"), new Map()];
  }

  /** Deletes the database and the alarm. */
  #empty(): void {
    this.close();
    this.alarm = null;
  }

  /** Frees the memory of the database. */
  close(): void {
    if (this.#database !== EMPTY) this.#database.close();
    [this.#database, this.#statements] = [EMPTY, EMPTY_STATEMENTS];
  }

  #run(query: string, bindings: SQLInputValue[]): { rows: Row[]; written: number } {
    let statement = this.#statements.get(query);
    if (statement === undefined) {
      statement = this.#database.prepare(query);
      this.#statements.set(query, statement);
    }
    if (READS.test(query)) return { rows: statement.all(...bindings) as Row[], written: 0 };
    if (!RETURNS.test(query)) return { rows: [], written: Number(statement.run(...bindings).changes) };
    const rows = statement.all(...bindings) as Row[];
    return { rows, written: rows.length };
  }

  #write(entry: Entry): void {
    this.#journal.push(entry);
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#world.atEndOfTurn(() => this.#endTurn());
  }

  /** What this turn has written becomes durable together, after what was written before. */
  #endTurn(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { length } = this.#journal;
    if (length === (this.#turns.at(-1) ?? this.#durable)) return;
    this.#turns.push(length);
    const crashes = this.#crashes;
    const wait = this.#dice.between(1, this.#rates.slowest);
    this.#durableAt = Math.max(this.#durableAt, this.#world.now + wait);
    this.#world.at(this.#durableAt, () => {
      if (crashes !== this.#crashes) return;
      if (this.#dice.chance(this.#rates.fails)) this.onFailure();
      else this.#confirm(length);
    });
  }

  #confirm(length: number): void {
    const confirmed = this.#journal.slice(this.#durable, length);
    this.#durable = length;
    this.#turns = this.#turns.filter((end) => end > length);
    if (confirmed.some(setsAlarm)) this.onAlarm(alarmIn(confirmed));
    const ready = this.#waiting.filter((one) => one.length <= length);
    this.#waiting = this.#waiting.filter((one) => one.length > length);
    for (const { run } of ready) run();
  }
}

function setsAlarm(entry: Entry): boolean {
  return entry === "delete" || "alarm" in entry;
}

/** The alarm that the last of these entries has left. */
function alarmIn(journal: Entry[]): number | null {
  const last = journal.findLast(setsAlarm);
  return typeof last === "object" && "alarm" in last ? last.alarm : null;
}
