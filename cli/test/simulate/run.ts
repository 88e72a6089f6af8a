//! One world from its beginning to its end: some bids a week ago; hours in which things fail; then all is healed, the
//! exchanges bill the rest, and everything must agree; at last the days are handed over, and must still agree.

import { HANDOVER_MS } from "../../../shared/limits.ts";
import { DAY_MS, dayAt } from "../../../shared/time/days.ts";
import { Broken } from "./broken.ts";
import { CAMPAIGNS, Operator, type Variant } from "./catalog.ts";
import { Deployment } from "./deployment.ts";
import { Fleet } from "./fleet.ts";
import { Hostile } from "./hostile.ts";
import { judgeFailures } from "./judge-failures.ts";
import { HostileJudge } from "./judge-hostile.ts";
import { Judges, STOP_MS } from "./judges.ts";
import { ifaOf, leastOf, Market } from "./market.ts";
import type { Actor } from "./platform/actor.ts";
import { Dice } from "./platform/dice.ts";
import type { Init } from "./platform/http.ts";
import { type Isolate, Platform } from "./platform/platform.ts";
import type { Programs } from "./platform/program.ts";
import { drawn, type Fault, healed, type Rates } from "./platform/rates.ts";
import { World } from "./platform/world.ts";

/** What a seed is run with. */
export interface Settings {
  seed: number;
  hours: number;
  programs: Programs;
  /** An older build, with which the world begins; by default, the same. */
  beside?: Programs;
  /** The faults that are on; by default, those that the seed draws. */
  faults?: Fault[];
  /** Whether the trace has the calls too. */
  trace?: true;
}

/** How a run has ended. */
export interface Outcome {
  seed: number;
  rates: Rates;
  /** The broken rule; undefined if all hold. */
  broken?: Error;
  trace: string[];
  bids: number;
  bills: number;
  /** What was spent of each budget, in per cent. */
  spends: Map<string, bigint>;
}

const VARS = {
  ...{ OPERATOR: "anybody", NOTICE_KEYS: "a-key-of-the-simulator-a-key-of-the-simulator" },
  ...{ NOTICE_ORIGIN: "https://bidder.example", CATALOG_REFRESH_SECONDS: "30", EVENTS_ONE_IN: "0" },
  ...{ CATALOG_KEYS: "", COLLECTOR_URL: "https://collector.example/", COLLECTOR_FORMAT: "ndjson" },
};

const MINUTE_MS = 60_000;
/**
 * The first day, and the times of day at which the hours may begin. Half an hour later, a day has ended: of UTC, or of
 * Auckland; or one is handed over.
 */
const FIRST_DAY = Date.parse("2026-11-02T00:00:00Z");
const STARTS = ["23:40", "10:40", "00:40"] as const;
/** Days from the first bids until the hours: on the last one, their objects are handed over at 01:00. */
const AGO_DAYS = 8;
/** Minutes: of the first bids, between two reports and two looks at budgets, and until everything is billed and agrees. */
const FIRST_MINUTES = 2;
const REPORT_MINUTES = 4;
const JUDGED_MINUTES = 5;
/** Bids that the operator asks about. */
const ASKED = 10;
/** Bids whose people are forgotten. */
const FORGOTTEN = 2;
const HEALING_MINUTES = 12;
/** Minutes until a pacer has seen all members of an order: it counts only those that left after that. */
const SEEN_MINUTES = 5;
/** The part of pushes that are for half of the requests only. */
const SPLITS = 0.3;
/** Minutes of a handover in which things fail. */
const HANDOVER_MINUTES = 25;
/** The most minutes that an object is silent, has no room, or has a wrong clock. */
const SILENT_MINUTES = 15;

/** The most hours by which a clock is set; and the objects whose clocks are: caps cannot hold with a wrong clock. */
const MOST_JUMP_HOURS = 3;
const JUMPING = ["Ledger", "Summary", "Pacer", "Relay"];

/** Runs a world. */
export async function run({ seed, hours, programs, beside = programs, faults, trace }: Settings): Promise<Outcome> {
  const diceOf = (part: string) => Dice.of(seed, part);
  const start = STARTS[diceOf("start").below(STARTS.length)] as string;
  const begin = Date.parse(`${dayAt(FIRST_DAY + AGO_DAYS * DAY_MS)}T${start}:00Z`);
  const rates = drawn(diceOf);
  for (const [name, rate] of Object.entries(healed())) {
    if (faults && !faults.includes(name as Fault)) rates[name as Fault] = rate;
  }
  const world = new World(seed, begin - AGO_DAYS * DAY_MS, trace ?? false);
  const story = new Story(world, deploymentOf(seed, rates.pacers, beside, programs), rates);
  const outcome: Outcome = { seed, rates: { ...rates }, trace: world.trace, bids: 0, bills: 0, spends: new Map() };
  try {
    await story.tell(begin, hours);
  } catch (error) {
    outcome.broken = error as Error;
  }
  story.close();
  const bids = [...story.market.bids.values()];
  const bills = bids.filter(({ sent }) => sent !== undefined).length;
  return { ...outcome, bids: bids.length, bills, spends: story.judges.budgets.spends };
}

/** With some values of `pacers` budgets are spread from the start on, with others by a deployment. */
function deploymentOf(seed: number, pacers: number, older: Programs, newer: Programs): Deployment {
  if (pacers === 0) return new Deployment(seed, older, newer);
  const spread = { ...newer, Pacer: newer.Pacers };
  return new Deployment(seed, pacers < 0.3 ? { ...older, Pacer: older.Pacers } : older, spread);
}

class Story {
  readonly market: Market;
  readonly judges: Judges;
  readonly #world: World;
  readonly #rates: Rates;
  readonly #platform: Platform;
  readonly #fleet: Fleet;
  readonly #hostile: Hostile;
  readonly #operator: Operator;
  readonly #dice: Dice;
  readonly #deployment: Deployment;

  constructor(world: World, deployment: Deployment, rates: Rates) {
    [this.#world, this.#rates] = [world, rates];
    this.#deployment = deployment;
    this.#platform = new Platform(world, (name) => deployment.of(name), healed(), VARS);
    this.#fleet = new Fleet(this.#platform);
    this.#operator = new Operator(this.#platform.kv);
    this.#dice = Dice.of(world.seed, "story");
    const dice = Dice.of(world.seed, "market");
    this.market = new Market(this.#platform, this.#fleet, dice, (bid) => this.#guarded(() => this.judges.onBid(bid)));
    this.judges = new Judges(this.#platform, this.market);
    this.#hostile = new Hostile(this.#platform, this.#fleet, this.market, Dice.of(world.seed, "hostile"));
  }

  async tell(begin: number, hours: number): Promise<void> {
    const world = this.#world;
    this.#push("plain");
    await this.#minutes(2);
    this.market.trade();
    await this.#minutes(FIRST_MINUTES);
    this.market.stop();
    await this.#minutes(3);

    await world.until(begin);
    world.tell("operator", `begins; faults ${JSON.stringify(this.#rates)}`);
    Object.assign(this.#platform.rates, this.#rates);
    for (const isolate of this.#fleet.all) this.#fleet.replace(isolate);
    this.#push("budgets");
    this.market.trade();
    this.#hostile.begin(this.#rates.hostile);
    for (let minute = 0; minute < hours * 60; minute++) {
      this.#break();
      this.#operate(minute);
      if (minute === Math.floor(hours * 20)) this.#deploy(1 / 2);
      if (minute === Math.floor(hours * 40)) this.#deploy(1);
      if (minute % REPORT_MINUTES === 0) this.#report();
      await this.#minutes(1);
      if (minute % JUDGED_MINUTES === 0) this.judges.budgets.judge(this.#rates, this.judges.variants);
    }

    world.tell("operator", "heals everything");
    this.#platform.heal();
    const healed = world.now;
    this.market.isBursting = false;
    this.#stop([]);
    this.market.hurry();
    await this.#minutes(HEALING_MINUTES / 2);
    for (const isolate of this.#fleet.all)
      this.judges.judgeHealth(await this.#ask("/healthz", isolate), this.#operator.version);
    this.market.stop();
    this.#hostile.stop();
    await this.#minutes(HEALING_MINUTES / 2);
    await this.#judgeAll();
    const hostile = new HostileJudge(this.market, this.#hostile);
    hostile.judgeAnswers(healed + STOP_MS);
    hostile.judgeLuck();
    hostile.judgeCounts(await this.#ask(this.#reportPath()), healed);

    // Without budgets, the pacer sleeps, so that nine days pass quickly.
    this.#push("plain");
    await this.#minutes(4);
    this.market.trade();
    await this.#minutes(2);
    this.market.stop();
    this.judges.judgeLedger();
    const days = new Set([...this.market.bids.values()].map(({ askedAt }) => dayAt(askedAt)));
    for (const day of [...days].sort().slice(1)) await this.#handOver(Date.parse(day));
    // Notices that come after their time are counted on the day when they come, which is handed over too.
    await world.until(world.now + (AGO_DAYS + 2) * DAY_MS);
    this.#judgeSleep();
    this.judges.judgeAlarms(this.#rates);
    this.judges.judgeEvents();
    judgeFailures(world.trace);
    this.judges.judgeWholeReport(await this.#ask(this.#reportPath()));
  }

  /** Frees what the world has taken outside JavaScript's memory. */
  close(): void {
    for (const { storage } of this.#platform.actors.values()) storage.close();
  }

  /** Things fail again while the totals of a day are handed over. */
  async #handOver(day: number): Promise<void> {
    await this.#world.until(day + AGO_DAYS * DAY_MS + HANDOVER_MS - MINUTE_MS);
    this.#world.tell("operator", `sees ${dayAt(day)} handed over`);
    Object.assign(this.#platform.rates, this.#rates);
    for (let minute = 0; minute < HANDOVER_MINUTES; minute++) {
      this.#break();
      this.#report();
      if (this.#rates.hostile > 0) this.#hostile.repeat();
      await this.#minutes(1);
    }
    this.#platform.heal();
  }

  /** What goes wrong in this minute. */
  #break(): void {
    const [platform, dice, rates] = [this.#platform, this.#dice, this.#platform.rates];
    if (dice.chance(rates.deploys)) {
      for (const actor of platform.actors.values()) actor.end("the Worker is deployed");
      for (const isolate of this.#fleet.all) this.#fleet.replace(isolate);
    }
    if (dice.chance(rates.isolateEnds)) this.#fleet.replace(this.#fleet.any(dice));
    for (const relay of platform.actorsOf("Relay")) if (dice.chance(rates.relayEnds)) relay.end("it is killed");
    const until = () => this.#world.now + dice.between(1, SILENT_MINUTES) * MINUTE_MS;
    if (dice.chance(rates.silent)) this.#strike("is silent", (actor) => (actor.silentUntil = until()));
    if (dice.chance(rates.full))
      this.#strike("has no room on its disk", (actor) => (actor.storage.fullUntil = until()));
    if (dice.chance(rates.jumps)) {
      const hours = dice.between(1, MOST_JUMP_HOURS) * (dice.chance(0.5) ? 1 : -1);
      const jump = (actor: Actor) => {
        const [jumpMs, end] = [hours * 60 * MINUTE_MS, until()];
        actor.setClock(jumpMs);
        this.#world.at(end, () => actor.setClock(0));
        if (actor.className === "Pacer") this.judges.budgets.onClock(jumpMs, end);
      };
      this.#strike(`has its clock set by ${hours} hours`, jump, JUMPING);
    }
    this.market.isBursting = dice.chance(rates.bursts);
  }

  /** This part of all objects and isolates gets the newer build. What changes ends. */
  #deploy(part: number): void {
    const deployment = this.#deployment;
    const isChanging = (name: string) => deployment.of(name) !== deployment.of(name, part);
    const actors = [...this.#platform.actors.values()].filter(({ name }) => isChanging(name));
    const isolates = this.#fleet.all.filter(({ instance }) => isChanging(instance.name));
    deployment.part = part;
    for (const actor of actors) actor.end("it gets another build");
    for (const isolate of isolates) this.#fleet.replace(isolate);
  }

  /** What the operator does in this minute. */
  #operate(minute: number): void {
    const [dice, rates] = [this.#dice, this.#platform.rates];
    const other = this.#operator.variant === "budgets" ? "larger" : "budgets";
    if (dice.chance(rates.pushes)) this.#push(other, dice.chance(SPLITS));
    if (dice.chance(rates.leaves) && minute >= SEEN_MINUTES) this.#push("fewer");
    if (dice.chance(rates.stops)) {
      this.#stop(CAMPAIGNS.map(({ cid }) => cid).filter(() => dice.chance(0.3)));
    }
  }

  /** Lets something happen to one of the objects that work now. */
  #strike(what: string, happen: (actor: Actor) => void, classes?: readonly string[]): void {
    const actor = this.#platform.anyActor(this.#dice, classes);
    if (actor === undefined) return;
    happen(actor);
    this.#world.tell(actor.name, what);
  }

  #push(variant: Variant, isSecond = false): void {
    this.#world.tell("operator", `pushes ${variant}${isSecond ? " for half of the requests" : ""}`);
    this.judges.variants.push(variant);
    this.#operator.push(variant, isSecond, this.#world.now);
  }

  #stop(cids: string[]): void {
    const { now } = this.#world;
    this.#world.tell("operator", `stops ${cids.join(", ") || "nothing"}`);
    const open = this.judges.stops.filter(({ to }) => to === Number.POSITIVE_INFINITY);
    for (const stop of open) if (!cids.includes(stop.cid)) stop.to = now;
    const isNew = (cid: string) => open.every((stop) => stop.cid !== cid);
    for (const cid of cids.filter(isNew)) this.judges.stops.push({ cid, from: now, to: Number.POSITIVE_INFINITY });
    this.#operator.stop(cids, now);
  }

  /** Asks for a report while things fail. */
  #report(): void {
    const answered = this.judges.sums((bid) => leastOf(bid, bid.booked));
    this.#platform.fetch(this.#fleet.any(this.#dice), this.#reportPath("campaign"), {}, (reply) => {
      if (reply?.status === 200) this.#guarded(() => this.judges.judgeReport(reply.text, answered));
    });
  }

  #reportPath(by = "day,campaign"): string {
    return `/report?by=${by}&from=${dayAt(FIRST_DAY)}&to=${dayAt(this.#world.now + DAY_MS)}`;
  }

  /** Everything has been healed for some minutes: all figures are the same. */
  async #judgeAll(): Promise<void> {
    if (this.market.open > 0) throw new Broken("liveness", `${this.market.open} bills are not booked`);
    // Before the report, which sets lost alarms again too.
    this.judges.judgeLedger();
    this.judges.budgets.judge(this.#rates, this.judges.variants);
    this.judges.judgeWholeReport(await this.#ask(this.#reportPath()));
    this.judges.judgeTold(await this.#ask("/budget"), this.#operator.variant, this.#rates);
    for (const bid of [...this.market.bids.values()].slice(-ASKED)) {
      this.judges.judgeWhy(await this.#ask(bid.why), bid);
    }
    await this.#forget();
    const pacer = this.#platform.actor("Pacer", "pacer");
    if (!pacer.hasAlarm) throw new Broken("alarms", "the pacer has no alarm", [pacer.name]);
  }

  /** Some who saw a campaign with a cap are forgotten. */
  async #forget(): Promise<void> {
    const capped = [...this.market.bids.values()].filter(({ campaign }) => campaign.cap);
    const people = new Set(capped.slice(-FORGOTTEN).map(({ person }) => person));
    for (const person of people) {
      const body = JSON.stringify({ id: ifaOf(person), kind: "ifa" });
      const headers = { "content-length": `${body.length}` };
      const { rows }: { rows: number } = JSON.parse(
        await this.#ask("/forget", undefined, { method: "POST", body, headers }),
      );
      this.#world.tell("operator", `forgets ${person}: ${rows} rows`);
    }
    this.judges.caps.judgeForgotten(people);
  }

  /** After the handover, nothing is left of past days, and the pacer sleeps. */
  #judgeSleep(): void {
    for (const className of ["Ledger", "Frequency", "Pacer"]) {
      for (const actor of this.#platform.actorsOf(className)) {
        const { storage, name } = actor;
        if (storage.alarm !== null) throw new Broken("sleep", `${name} still has an alarm`, [name]);
        if (className === "Ledger" && !storage.isEmpty) throw new Broken("sleep", `${name} is not handed over`, [name]);
      }
    }
    for (const { storage, name } of this.#platform.actorsOf("Frequency")) {
      const left = storage.isEmpty ? [] : storage.peek("SELECT key FROM seen UNION SELECT key FROM pending");
      if (left.length > 0) throw new Broken("sleep", `${name} still knows people`, [name]);
    }
  }

  /** The answer to the operator, who asks again until there is one. */
  async #ask(path: string, isolate?: Isolate, init: Init = {}): Promise<string> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const reply = await this.#world.complete(
        new Promise<{ status: number; text: string } | null>((done) => {
          this.#platform.fetch(isolate ?? this.#fleet.any(this.#dice), path, init, done);
        }),
      );
      if (reply?.status === 200) return reply.text;
      this.#world.tell("operator", `gets ${reply?.status} for ${path}: ${reply?.text}`);
      await this.#minutes(0.1);
    }
    throw new Broken("liveness", `${path} has no answer`);
  }

  #guarded(judge: () => void): void {
    try {
      judge();
    } catch (error) {
      this.#world.fail(error);
    }
  }

  async #minutes(minutes: number): Promise<void> {
    await this.#world.until(this.#world.now + minutes * MINUTE_MS);
  }
}
