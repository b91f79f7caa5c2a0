import type { Felt } from "#base/primitives/index.ts";
import { findExecuted } from "../methods/shared.ts";
import type { ChainContext } from "../context.ts";
import type { ChainSource } from "./chain-source.ts";
import { settledStatus } from "./current-status.ts";
import type { Candidate } from "./feed.ts";
import { LiveSink } from "./live-sink.ts";
import type { AnySubscription } from "./subscription.ts";
import { ChainWalk } from "./walk.ts";

/** Maximum number of queued candidates; beyond it, the oldest are dropped without a notification. */
export const MAX_WAITING_CANDIDATES = 10_000;

/**
 * Notifies all subscriptions that have caught up, step by step. Order: candidates before their execution
 * results, then the chain, then L1 acceptance of transactions whose L2 acceptance was already reported.
 */
export class Broadcaster {
  readonly sink: LiveSink = new LiveSink(undefined);
  readonly #context: ChainContext;
  readonly #source: ChainSource;
  readonly #walk: ChainWalk;
  #candidates: Candidate[] = [];
  /** Running generators, one per kind of notification. */
  #candidateSteps: Generator<void> | undefined;
  #walkSteps: Generator<void> | undefined;
  #settledSteps: Generator<void> | undefined;
  #isChainBehind = false;
  /** Highest L1-accepted block that subscribers have not been notified of. */
  #settled: number | undefined;

  constructor(context: ChainContext, source: ChainSource) {
    this.#context = context;
    this.#source = source;
    this.#walk = new ChainWalk(source, undefined);
  }

  /** Whether parts of the chain have not been reported yet. */
  get isChainBehind(): boolean {
    return this.#isChainBehind;
  }

  /** Whether any notifications are pending. */
  get isBehind(): boolean {
    return (
      this.#isChainBehind ||
      this.#candidates.length > 0 ||
      this.#candidateSteps !== undefined ||
      this.#settled !== undefined ||
      this.#settledSteps !== undefined
    );
  }

  changed(): void {
    this.#isChainBehind = true;
  }

  /** Enqueues candidates; already executed ones are dropped. */
  candidates(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) {
      if (!this.sink.wantsCandidate(candidate)) continue;
      if (this.#isExecuted(candidate.hash)) continue;
      this.#candidates.push(candidate);
    }
    const excess = this.#candidates.length - MAX_WAITING_CANDIDATES;
    if (excess > 0) this.#candidates.splice(0, excess);
  }

  /** Records that blocks up to this one are accepted on L1. */
  settled(blockNumber: number): void {
    this.#settled = Math.max(this.#settled ?? -1, blockNumber);
  }

  /**
   * Handles a reverted chain: reports only those unreported blocks that still exist.
   *
   * @param isNotified - whether subscribers are notified that accepted blocks are gone
   */
  reverted(isNotified: boolean): void {
    this.#candidates = [];
    this.#candidateSteps = undefined;
    if (!this.#walk.reverted()) this.#walkSteps = undefined;
    this.sink.statuses.reverted(this.#source.latest, isNotified);
  }

  /** Adds a subscription; it receives only notifications from now on. */
  join(subscription: AnySubscription): void {
    if (this.sink.isEmpty) this.#walk.skip();
    this.sink.add(subscription);
    if (this.sink.wantsPreConfirmed) this.#walk.follow();
  }

  /** Must be called before the first step of a turn. */
  begin(): void {
    // Decoding transactions as they arrive avoids reading the whole block once it is accepted.
    if (this.#isChainBehind && (this.sink.wantsAccepted || this.sink.wantsPreConfirmed)) {
      this.#source.unaccepted();
    }
  }

  step(): void {
    if (this.#candidates.length > 0) this.#candidateSteps ??= this.#notifyCandidates();
    if (this.#candidateSteps !== undefined) {
      if (this.#candidateSteps.next().done === true) this.#candidateSteps = undefined;
    } else if (this.#isChainBehind) {
      this.#walkSteps ??= this.#walk.advance(this.sink);
      if (this.#walkSteps.next().done !== true) return;
      this.#walkSteps = undefined;
      this.#isChainBehind = false;
      this.#source.forget(this.#walk.next - 1);
    } else {
      this.#settledSteps ??= this.#notifySettled();
      if (this.#settledSteps.next().done === true) this.#settledSteps = undefined;
    }
  }

  /** Discards all pending notifications, after a failure. */
  giveUp(): void {
    this.#candidates = [];
    this.#candidateSteps = this.#walkSteps = this.#settledSteps = undefined;
    this.#isChainBehind = false;
    this.#settled = undefined;
    this.#walk.skip();
    if (this.sink.wantsPreConfirmed) this.#walk.follow();
  }

  *#notifyCandidates(): Generator<void> {
    for (;;) {
      const candidate = this.#candidates.shift();
      if (candidate === undefined) return;
      yield* this.sink.candidate(candidate);
      yield;
    }
  }

  *#notifySettled(): Generator<void> {
    const upTo = this.#settled;
    this.#settled = undefined;
    if (upTo === undefined) return;
    for (const hash of this.sink.statuses.acceptedUpTo(upTo)) {
      const status = settledStatus(this.#context, hash);
      if (status !== undefined) this.sink.notifyStatus(hash, status);
      yield;
    }
  }

  #isExecuted(hash: Felt): boolean {
    return findExecuted(this.#context, hash) !== undefined;
  }
}
