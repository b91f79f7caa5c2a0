import type { Felt } from "#base/primitives/index.ts";
import { findExecuted } from "../methods/shared.ts";
import type { ChainContext } from "../context.ts";
import type { ChainSource } from "./chain-source.ts";
import { settledStatus } from "./current-status.ts";
import type { Candidate } from "./feed.ts";
import { LiveSink } from "./live-sink.ts";
import type { AnySubscription } from "./subscription.ts";
import { ChainWalk } from "./walk.ts";

/** Most candidates that wait for their turn to be told; of more, the oldest are not told. */
export const MAX_WAITING_CANDIDATES = 10_000;

/**
 * Tells everybody who has caught up, step by step: candidates before what is executed of them, then
 * the chain, then what was accepted on L1 of what everybody knows to be accepted.
 */
export class Broadcaster {
  readonly sink: LiveSink = new LiveSink(undefined);
  readonly #context: ChainContext;
  readonly #source: ChainSource;
  readonly #walk: ChainWalk;
  #candidates: Candidate[] = [];
  /** Steps that have begun, of each kind. */
  #candidateSteps: Generator<void> | undefined;
  #walkSteps: Generator<void> | undefined;
  #settledSteps: Generator<void> | undefined;
  #isChainBehind = false;
  /** Blocks up to this one are accepted on L1, and that is not told yet. */
  #settled: number | undefined;

  constructor(context: ChainContext, source: ChainSource) {
    this.#context = context;
    this.#source = source;
    this.#walk = new ChainWalk(source, undefined);
  }

  /** Whether there is more of the chain than was told. */
  get isChainBehind(): boolean {
    return this.#isChainBehind;
  }

  /** Whether there is more to tell. */
  get isBehind(): boolean {
    return (
      this.#isChainBehind ||
      this.#candidates.length > 0 ||
      this.#candidateSteps !== undefined ||
      this.#settled !== undefined ||
      this.#settledSteps !== undefined
    );
  }

  /** There is more of the chain. */
  changed(): void {
    this.#isChainBehind = true;
  }

  /** Transactions are candidates; those that are known to be executed were, and are left out. */
  candidates(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) {
      if (!this.sink.wantsCandidate(candidate)) continue;
      if (this.#isExecuted(candidate.hash)) continue;
      this.#candidates.push(candidate);
    }
    const excess = this.#candidates.length - MAX_WAITING_CANDIDATES;
    if (excess > 0) this.#candidates.splice(0, excess);
  }

  /** Blocks up to this one are accepted on L1. */
  settled(blockNumber: number): void {
    this.#settled = Math.max(this.#settled ?? -1, blockNumber);
  }

  /**
   * The chain was reverted: of what was not told, the blocks that are left are told still.
   *
   * @param isTold - who listens is told that accepted blocks are gone
   */
  reverted(isTold: boolean): void {
    this.#candidates = [];
    this.#candidateSteps = undefined;
    if (!this.#walk.reverted()) this.#walkSteps = undefined;
    this.sink.statuses.reverted(this.#source.latest, isTold);
  }

  /** Who joins hears of what comes from now on. */
  join(subscription: AnySubscription): void {
    if (this.sink.isEmpty) this.#walk.skip();
    this.sink.add(subscription);
    if (this.sink.wantsPreConfirmed) this.#walk.follow();
  }

  /** To be called before the first step of a turn. */
  begin(): void {
    // What is decoded as it comes need not be read in one piece once its block is accepted.
    if (this.#isChainBehind && (this.sink.wantsAccepted || this.sink.wantsPreConfirmed)) {
      this.#source.unaccepted();
    }
  }

  /** Goes on for a step. */
  step(): void {
    if (this.#candidates.length > 0) this.#candidateSteps ??= this.#tellCandidates();
    if (this.#candidateSteps !== undefined) {
      if (this.#candidateSteps.next().done === true) this.#candidateSteps = undefined;
    } else if (this.#isChainBehind) {
      this.#walkSteps ??= this.#walk.advance(this.sink);
      if (this.#walkSteps.next().done !== true) return;
      this.#walkSteps = undefined;
      this.#isChainBehind = false;
      this.#source.forget(this.#walk.next - 1);
    } else {
      this.#settledSteps ??= this.#tellSettled();
      if (this.#settledSteps.next().done === true) this.#settledSteps = undefined;
    }
  }

  /** Forgets what is not told: it cannot be. */
  giveUp(): void {
    this.#candidates = [];
    this.#candidateSteps = this.#walkSteps = this.#settledSteps = undefined;
    this.#isChainBehind = false;
    this.#settled = undefined;
    this.#walk.skip();
    if (this.sink.wantsPreConfirmed) this.#walk.follow();
  }

  *#tellCandidates(): Generator<void> {
    for (;;) {
      const candidate = this.#candidates.shift();
      if (candidate === undefined) return;
      yield* this.sink.candidate(candidate);
      yield;
    }
  }

  *#tellSettled(): Generator<void> {
    const upTo = this.#settled;
    this.#settled = undefined;
    if (upTo === undefined) return;
    for (const hash of this.sink.statuses.acceptedUpTo(upTo)) {
      const status = settledStatus(this.#context, hash);
      if (status !== undefined) this.sink.tellStatus(hash, status);
      yield;
    }
  }

  #isExecuted(hash: Felt): boolean {
    return findExecuted(this.#context, hash) !== undefined;
  }
}
