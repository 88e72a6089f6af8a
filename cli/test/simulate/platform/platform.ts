//! The platform: Durable Objects by name, the isolates of the Worker, KV, and the calls between them.

import { SHARES_KEY } from "../../../../shared/pacing/shares.ts";
import { Actor, type Answer } from "./actor.ts";
import { Collector } from "./collector.ts";
import { Dice } from "./dice.ts";
import { type Init, type Returned, requestOf } from "./http.ts";
import { Instance } from "./instance.ts";
import { Kv } from "./kv.ts";
import { copied, wayOf } from "./network.ts";
import { type Part, type Programs, SHARDS } from "./program.ts";
import { type Batch, Queue } from "./queue.ts";
import { healed, type Rates } from "./rates.ts";
import type { World } from "./world.ts";

/** The bindings of Durable Objects, and their classes. */
const CLASSES = {
  ...{ LEDGER: "Ledger", SUMMARY: "Summary", PACER: "Pacer", RELAY: "Relay", FREQUENCY: "Frequency" },
  DEALS: "Deals",
};

/** An answer of the Worker; null if the connection breaks. */
export type Reply = { status: number; text: string } | null;

/** An isolate of the Worker. */
export interface Isolate {
  readonly instance: Instance;
  readonly handler: Handler;
  readonly location: number;
  readonly continent: string;
  readonly end: () => void;
  readonly pending: Set<(reply: Reply) => void>;
}

type Handler = {
  fetch(request: ReturnType<typeof requestOf>, env: object, ctx: object): Promise<Returned>;
  queue(batch: Batch, env: object, ctx: object): Promise<void>;
};
type Gate = (run: () => void) => void;

/** The context of a call: work that continues after its answer. */
const WAITING = { waitUntil: (work: Promise<unknown>) => void work.catch(() => {}) };

export class Platform {
  readonly world: World;
  readonly rates: Rates;
  readonly kv: Kv;
  readonly queue: Queue;
  readonly collector: Collector;
  readonly actors = new Map<string, Actor>();
  /** When KV refused a call of each instance last, by its name. */
  readonly kvRefusedAt = new Map<string, number>();
  /** When isolates ended. */
  readonly endings: number[] = [];
  /** Called with the shares that leave the pacer, as an answer or into KV. */
  onShares: (shares: string, pacer: string) => void = () => {};
  /** Called with each call of an object, and again when its answer leaves, if that is a value. */
  onCall: (actor: Actor, method: string, args: unknown[], isDone: boolean) => void = () => {};
  readonly #programsOf: (name: string) => Programs;
  readonly #vars: object;
  readonly #dice: Dice;
  #isolates = 0;
  readonly #living = new Set<Isolate>();
  readonly #envs = new WeakMap<Instance, object>();

  /** `programsOf` tells which code an object or isolate runs, by its name. */
  constructor(world: World, programsOf: (name: string) => Programs, rates: Rates, vars: object) {
    [this.world, this.#programsOf, this.rates, this.#vars] = [world, programsOf, rates, vars];
    this.#dice = Dice.of(world.seed, "network");
    this.kv = new Kv(world, rates);
    this.queue = new Queue(world, rates, (batch, done) => this.#consume(batch, done));
    this.collector = new Collector(world, rates);
  }

  /** From now on, nothing goes wrong. */
  heal(): void {
    Object.assign(this.rates, healed());
    for (const actor of this.actors.values()) {
      [actor.silentUntil, actor.storage.fullUntil] = [0, 0];
      actor.setClock(0);
    }
  }

  /** The objects of a class. */
  actorsOf(className: string): Actor[] {
    return [...this.actors.values()].filter((actor) => actor.className === className);
  }

  /** One of the objects of any of these classes that were used last. */
  anyActor(dice: Dice, classes: readonly string[] = Object.values(CLASSES)): Actor | undefined {
    const actors = this.actorsOf(classes[dice.below(classes.length)] as string);
    const last = actors.sort((a, b) => b.usedAt - a.usedAt).slice(0, SHARDS);
    return last[dice.below(last.length)];
  }

  actor(className: string, id: string): Actor {
    const name = `${className} ${id}`;
    let actor = this.actors.get(name);
    if (actor === undefined) {
      const { world, rates } = this;
      const envOf = (caller: Instance, gate: Gate) => this.#env(caller, gate, 0);
      const programOf = () => this.#programsOf(name)[className as Part];
      const setting = { world, rates, programOf, envOf };
      actor = new Actor(className, id, setting, Dice.of(world.seed, name));
      this.actors.set(name, actor);
    }
    return actor;
  }

  /** Starts an isolate of the Worker. */
  isolate(location: number, continent: string): Isolate {
    const name = `isolate ${this.#isolates++}`;
    const dice = Dice.of(this.world.seed, name);
    const program = this.#programsOf(name).Worker;
    const instance = new Instance(this.world, name, program, dice, dice.between(-1, 1) * this.rates.skew);
    instance.onFetch = this.collector.fetchOf(instance);
    const pending: Isolate["pending"] = new Set();
    const end = () => {
      instance.end();
      this.#living.delete(isolate);
      this.endings.push(this.world.now);
      this.world.tell(name, "ends");
      for (const reply of [...pending]) reply(null);
    };
    const handler = program.exports["default"] as Handler;
    const isolate: Isolate = { instance, handler, location, continent, end, pending };
    this.#living.add(isolate);
    return isolate;
  }

  /** Calls an isolate with messages of the queue. */
  #consume(batch: Batch, done: () => void): void {
    const isolates = [...this.#living];
    const { instance, handler, location, pending } = isolates[this.#dice.below(isolates.length)] as Isolate;
    const once = () => pending.delete(once) && done();
    pending.add(once);
    instance.enter(() => {
      const env = this.#env(instance, (run) => instance.enter(run), location);
      handler.queue(batch, env, WAITING).then(once, once);
    });
  }

  /** Calls the Worker from outside. */
  fetch(isolate: Isolate, path: string, init: Init, done: (reply: Reply) => void): void {
    const { instance, handler, location, continent, pending } = isolate;
    const way = wayOf(this.#dice, this.rates);
    const once = (reply: Reply) => {
      if (!pending.delete(once)) return;
      this.world.after(way.back, () => done(way.returns ? reply : null));
    };
    pending.add(once);
    this.world.after(way.there, () => {
      if (!way.arrives || !instance.isAlive) return once(null);
      const request = requestOf(path, init, continent);
      instance.enter(() => {
        const env = this.#env(instance, (run) => instance.enter(run), location);
        handler.fetch(request, env, WAITING).then(
          async (response) => once({ status: response.status, text: await response.text() }),
          (error) => once({ status: 500, text: String(error) }),
        );
      });
    });
  }

  /** An instance always gets the same bindings. */
  #env(caller: Instance, gate: Gate, location: number): object {
    const known = this.#envs.get(caller);
    if (known) return known;
    const namespaces = Object.entries(CLASSES).map(([binding, className]) => {
      const idFromName = (name: string) => ({ equals: (id: object) => String(id) === name });
      return [binding, { getByName: (id: string) => this.#stub(caller, gate, className, id), idFromName }];
    });
    const [CATALOG, EVENTS] = [this.#catalog(caller, gate, location), this.#events(caller, gate)];
    const env = { ...this.#vars, ...Object.fromEntries(namespaces), CATALOG, EVENTS };
    this.#envs.set(caller, env);
    return env;
  }

  /** A stub: its calls arrive in the order in which they were made. */
  #stub(caller: Instance, gate: Gate, className: string, id: string): object {
    let arrival = 0;
    const call = (method: string, args: unknown[]) =>
      new Promise((resolve, reject) => {
        const sent = args.map(copied);
        gate(() => {
          const way = wayOf(this.#dice, this.rates);
          const actor = this.actor(className, id);
          this.onCall(actor, method, sent, false);
          const take = (answer: Answer) => {
            if ("value" in answer) this.onCall(actor, method, sent, true);
            if ("value" in answer && className === "Pacer" && method === "exchange")
              this.onShares(`${answer.value}`, id);
            const taken: Answer = way.returns ? answer : { error: new Error("Network connection lost.") };
            this.world.after(way.back, () => {
              this.#tellCall(caller, actor.name, method, sent, taken);
              caller.enter(() => ("value" in taken ? resolve(taken.value) : reject(taken.error)));
            });
          };
          arrival = Math.max(arrival, this.world.now + way.there);
          if (!way.arrives) take({ error: new Error("the call is lost") });
          else this.world.at(arrival, () => actor.call(method, sent, take));
        });
      });
    const get = (_: object, method: string | symbol) =>
      typeof method === "string" && method !== "then" ? (...args: unknown[]) => call(method, args) : undefined;
    return new Proxy({}, { get });
  }

  #tellCall(caller: Instance, to: string, method: string, args: unknown[], answer: Answer): void {
    if (!this.world.hasCalls) return;
    const outcome = "error" in answer ? answer.error.message : brief(answer.value);
    this.world.tell(caller.name, `→ ${to} ${method}(${args.map(brief).join(", ")}) = ${outcome}`);
  }

  /** The producer of the queue. Its call may fail although the queue has the messages. */
  #events(caller: Instance, gate: Gate) {
    const sendBatch = (requests: { body: Uint8Array<ArrayBuffer> }[]) =>
      new Promise<void>((resolve, reject) => {
        const bodies = requests.map(({ body }) => body.slice().buffer);
        gate(() => {
          const way = wayOf(this.#dice, this.rates);
          this.world.after(way.there, () => {
            let failure = way.arrives && way.returns ? undefined : new Error("Network connection lost.");
            try {
              if (way.arrives) this.queue.send(bodies);
            } catch (error) {
              failure = error as Error;
            }
            this.world.after(way.back, () => caller.enter(() => (failure ? reject(failure) : resolve())));
          });
        });
      });
    return { sendBatch };
  }

  #catalog(caller: Instance, gate: Gate, location: number) {
    const { kv, world } = this;
    const after = <T>(work: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        gate(() => {
          let ms = 10;
          let failure: unknown;
          try {
            ms = kv.delay();
          } catch (error) {
            failure = error;
            this.kvRefusedAt.set(caller.name, world.now);
          }
          world.after(ms, () => caller.enter(() => (failure ? reject(failure) : resolve(work()))));
        });
      });
    return {
      get: (key: string, { type, cacheTtl = 60 }: { type: string; cacheTtl?: number }) =>
        after(() => {
          const value = kv.get(key, location, cacheTtl);
          return type === "arrayBuffer" && value instanceof Uint8Array ? value.slice().buffer : value;
        }),
      put: (key: string, value: string) =>
        after(() => {
          kv.put(key, value);
          if (key === SHARES_KEY) this.onShares(value, "KV");
        }),
      list: () => after(() => ({ keys: [] })),
    };
  }
}

/** A value as the trace has it: a bill by its bid. */
function brief(value: unknown): string {
  if (typeof value === "object" && value !== null && "bid" in value) return `bid ${value.bid}`;
  const text = JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}` : one)) ?? "";
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
}
