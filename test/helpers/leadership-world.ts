import { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import {
  blockKey,
  Leadership,
  type LeadershipEvent,
  type LeaderRecord,
} from "#services/replication/index.ts";
import { FakeTimer } from "./fake-timer.ts";
import { instanceOf, pass } from "./leader-records.ts";
import { MemoryObjectStore } from "./memory-object-store.ts";

/** Silence of the leader after which standbys of tests take over, in milliseconds. */
export const TAKEOVER_MS = 4_000;

/** Time within which a leader of tests must publish a block, in milliseconds. */
export const PUBLISH_MS = 10_000;

/** Interval of a leader's blocks, of a follower's polls, and of put attempts. */
const PACE_MS = 500;

/**
 * One clock and one store for several sequencers, whose blocks contain only their epoch and
 * producer.
 */
export class LeadershipWorld {
  readonly timer: FakeTimer = new FakeTimer();
  readonly store: MemoryObjectStore = new MemoryObjectStore();
  /**
   * Whether blocks of an epoch are identical for all producers, like empty ones of the same second.
   */
  areBlocksAlike = false;

  /** Epochs of the published blocks, by number. */
  get epochs(): readonly number[] {
    const epochs: number[] = [];
    for (;;) {
      const bytes = this.store.objects.get(blockKey(epochs.length));
      if (bytes === undefined) return epochs;
      epochs.push(bytes[0] ?? 0);
    }
  }

  /** Publishes a block of any producer. */
  publish(epoch: number): void {
    this.store.objects.set(blockKey(this.epochs.length), new Uint8Array([epoch]));
  }

  /** Advances the clock. */
  pass(forMs: number, stepMs = 100): Promise<void> {
    return pass(this.timer, forMs, stepMs);
  }
}

/** A sequencer process: it can be killed, paused, and cut off from the store. */
export class FakeSequencer {
  readonly leadership: Leadership;
  readonly events: LeadershipEvent[] = [];
  readonly failures: unknown[] = [];
  /** Deadlines of started hand-overs. */
  readonly handOverDeadlines: (number | null)[] = [];
  role: "sequencer" | "standby" = "standby";
  isCut = false;
  /** Whether the store rejects its blocks only. */
  isGateClosed = false;
  /** Number of its newest block. */
  newest: number;
  /** The final leader, if it exited because of that one. */
  endedBy: LeaderRecord | "nobody known" | undefined;
  readonly #name: string;
  readonly #world: LeadershipWorld;
  #epoch: number;
  /** Changes with the role: operations of an earlier turn are obsolete. */
  #turn = 0;
  #isKilled = false;
  #failure: Error | undefined;
  #epochToMake = 0;
  #paused: PromiseWithResolvers<void> | undefined;

  constructor(name: string, isStandby: boolean, world: LeadershipWorld) {
    const { store, timer } = world;
    this.#name = name;
    this.#world = world;
    this.newest = world.epochs.length - 1;
    this.#epoch = world.epochs.at(-1) ?? 0;
    const gated: Timer = {
      nowMs: () => timer.nowMs(),
      after: (delayMs, callback) => timer.after(delayMs, () => void this.#awake().then(callback)),
    };
    this.leadership = new Leadership({
      store: {
        get: (key, max) => this.#ask(() => store.get(key, max)),
        put: (key, bytes) => this.#ask(() => store.put(key, bytes)),
        putIfAbsent: (key, bytes) => this.#ask(() => store.putIfAbsent(key, bytes)),
        putIfMatch: (key, bytes, etag) => this.#ask(() => store.putIfMatch(key, bytes, etag)),
      },
      instance: instanceOf(name),
      run: instanceOf(`run ${name}`),
      gatewayUrl: `http://${name}`,
      takeoverAfterMs: TAKEOVER_MS,
      publishTimeoutMs: PUBLISH_MS,
      isStandby,
      timer: gated,
      ports: {
        newestBlock: () => this.newest,
        newestEpoch: () => this.#epoch,
        newestPublished: () => this.#ask(() => Promise.resolve(world.epochs.length - 1)),
        secondsBehind: () => undefined,
        lead: (epoch) => this.#become("sequencer", epoch),
        makeBlock: () => void this.#produce(this.#turn, this.#epochToMake),
        follow: () => this.#become("standby", 0),
        handOver: (deadlineMs) => Promise.resolve(void this.handOverDeadlines.push(deadlineMs)),
        onEvent: (event) => void this.events.push(event),
        onEnd: (by) => {
          this.endedBy = by ?? "nobody known";
          this.kill();
        },
        onFailure: (error) => void this.failures.push(error),
      },
    });
  }

  /** Starts as a follower. */
  follow(): this {
    this.#enter("standby", 0);
    this.leadership.follow();
    return this;
  }

  /** Starts as the leader. */
  lead(epoch: number, isNew: boolean): this {
    this.#enter("sequencer", epoch);
    const predecessor = isNew ? null : instanceOf(`run ${this.#name}`);
    this.leadership.lead({ epoch, isNew, predecessor });
    if (!isNew) void this.#produce(this.#turn, epoch);
    return this;
  }

  /** Makes its next attempt to lead throw this error. */
  failToLead(error: Error): void {
    this.#failure = error;
  }

  /** Whether it was killed, or exited because another one leads. */
  get hasEnded(): boolean {
    return this.#isKilled;
  }

  /** Stops all its activity permanently. */
  kill(): void {
    this.#isKilled = true;
    this.#turn++;
  }

  /** Stops its activity until {@link resume}. */
  pause(): void {
    this.#paused ??= Promise.withResolvers();
  }

  resume(): void {
    this.#paused?.resolve();
    this.#paused = undefined;
  }

  /** Kinds of its events. */
  get kinds(): readonly string[] {
    return this.events.map(({ kind }) => kind);
  }

  async #awake(): Promise<void> {
    if (this.#isKilled) await new Promise<never>(() => undefined);
    await this.#paused?.promise;
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    await this.#awake();
    if (this.isCut) throw new ObjectStoreError("OBJECT_STORE_FAILED", "cut off", true);
    const answer = await question();
    await this.#awake();
    return answer;
  }

  async #become(role: "sequencer" | "standby", epoch: number): Promise<void> {
    await this.#awake();
    if (role === "sequencer" && this.#failure !== undefined) throw this.#failure;
    this.#enter(role, epoch);
  }

  #enter(role: "sequencer" | "standby", epoch: number): void {
    this.role = role;
    this.#epochToMake = epoch;
    const turn = ++this.#turn;
    if (role === "standby") void this.#take(turn);
  }

  async #pace(): Promise<void> {
    await new Promise<void>((over) => void this.#world.timer.after(PACE_MS, over));
    await this.#awake();
  }

  async #take(turn: number): Promise<void> {
    while (turn === this.#turn) {
      const { epochs } = this.#world;
      if (!this.isCut) {
        this.newest = epochs.length - 1;
        this.#epoch = epochs.at(-1) ?? 0;
      }
      await this.#pace();
    }
  }

  async #produce(turn: number, epoch: number): Promise<void> {
    const { store } = this.#world;
    while (turn === this.#turn) {
      const key = blockKey(this.newest + 1);
      const bytes = new Uint8Array(
        this.#world.areBlocksAlike ? [epoch] : [epoch, ...Buffer.from(this.#name)],
      );
      const put = this.#ask(() => {
        if (!this.isGateClosed) return store.putIfAbsent(key, bytes);
        throw new ObjectStoreError("OBJECT_STORE_FAILED", "status 503", true);
      });
      const outcome = await put.then(({ kind }) => kind).catch(() => "unknown" as const);
      if (turn !== this.#turn) return;
      if (outcome === "unmet" && !Buffer.from(bytes).equals(store.objects.get(key) ?? bytes)) {
        this.leadership.refused();
        return;
      }
      if (outcome === "stored" || outcome === "unmet") {
        this.newest++;
        this.#epoch = epoch;
        this.leadership.published();
      }
      if (outcome === "unknown") this.leadership.waiting("status 503");
      await this.#pace();
    }
  }
}
