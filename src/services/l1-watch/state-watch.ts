import type { CoreState, L1BlockId, StateUpdateLog } from "#io/l1/index.ts";
import { type CountedL1, MismatchInquiry } from "./mismatch-inquiry.ts";
import { mismatchText } from "./mismatch-text.ts";
import { PendingUpdates } from "./pending-updates.ts";
import type { L1Alarm } from "./ports.ts";
import type { AgreedState, AskReports, L1StateUpdate, StateWatchDeps } from "./state-ports.ts";
import { isSameState } from "./state-vote.ts";

/** Maximum pending updates: nine hours of a chain that is settled every 30 seconds. */
const MAX_PENDING = 1024;

/** Maximum updates examined per step: a flood of forged ones must not delay the steps. */
const MAX_EXAMINED = 16;

/**
 * Compares the chain with its state on L1, and makes blocks accepted on L1 whose root and hash are the same
 * there. An update whose block is not here yet stays pending. From the first difference on no block becomes
 * accepted on L1; the updates below it that agree still do. A difference raises an alarm once the endpoints
 * confirm it, and is ignored once they refute it. Acceptance is permanent, whatever L1 reports later.
 */
export class StateWatch {
  readonly #deps: StateWatchDeps;
  readonly #pending = new PendingUpdates(MAX_PENDING);
  #inquiry: MismatchInquiry;
  /** Differing updates that the operator has accepted. */
  #passedOver: readonly L1StateUpdate[] = [];
  /** Whether a differing update has been neither confirmed nor refuted. */
  #isDoubting = false;
  #newest: L1StateUpdate | undefined;
  /** Agreeing update with the highest block; `undefined` until one agrees. */
  #agreed: L1StateUpdate | undefined;
  #differing: L1StateUpdate | undefined;
  #mismatch: L1Alarm | undefined;

  constructor(deps: StateWatchDeps) {
    this.#deps = deps;
    this.#inquiry = this.#newInquiry();
  }

  /** Newest state reported by L1; `undefined` until there is one. */
  get newest(): L1StateUpdate | undefined {
    return this.#newest;
  }

  /** The alarm of a confirmed difference; `undefined` without one. */
  get mismatch(): L1Alarm | undefined {
    return this.#mismatch;
  }

  /** Receives the updates of a range of L1 blocks; {@link advance} processes them. */
  logs(updates: readonly StateUpdateLog[]): void {
    for (const update of updates) {
      const isNews = update.blockNumber > BigInt(this.#deps.chain.l1AcceptedNumber() ?? -1);
      this.#take(update, isNews);
    }
  }

  /**
   * Receives the core contract's state at an L1 block; it may include updates that no log of the range
   * reported.
   */
  coreState(state: CoreState, l1Block: L1BlockId): void {
    const { number, hash } = l1Block;
    this.#take({ ...state, l1Block: { number, hash }, transactionHash: undefined }, true);
  }

  /** Records that all logs up to this L1 block have been received. */
  counted(counted: CountedL1): void {
    this.#inquiry.counted(counted);
  }

  /**
   * Processes the updates whose blocks are here.
   *
   * @param ask - queries the endpoints about a differing update
   * @throws what `settle` and `ask` throw; the updates are then processed again
   */
  async advance(ask: AskReports): Promise<void> {
    for (let examined = 0; examined < MAX_EXAMINED; examined++) {
      const { agreeing, differing } = this.#compare(this.#limit());
      const last = agreeing.at(-1);
      if (last !== undefined && last.blockNumber > (this.#agreed?.blockNumber ?? -1n)) {
        this.#agreed = last;
      }
      if (differing === undefined) this.#resolve();
      let isDone = false;
      // The alarm must not depend on whether the blocks below it can be settled.
      try {
        if (differing !== undefined) isDone = await this.#examine(differing, ask);
      } finally {
        await this.#settle(agreeing);
      }
      if (!isDone) return;
    }
  }

  /** Discards pending updates after an L1 reorg: they will be reported again. */
  rewind(): void {
    this.#pending.clear();
    this.#newest = undefined;
  }

  /** Starts comparing from the beginning, because the chain has changed, for example by a revert. */
  reset(): void {
    this.rewind();
    this.#agreed = undefined;
    this.#differing = undefined;
    this.#mismatch = undefined;
    this.#inquiry = this.#newInquiry();
    this.#passedOver = [];
  }

  #take(update: L1StateUpdate, isNews: boolean): void {
    const { blockNumber } = update;
    // Blocks before the oldest one cannot be compared; a later update covers them.
    const oldest = this.#deps.chain.oldestBlock();
    this.#pending.replaceBy(update);
    if (blockNumber < oldest || blockNumber > Number.MAX_SAFE_INTEGER) return;
    if (this.#isIgnored(update)) return;
    this.#pending.add(update);
    const isNewest = this.#newest === undefined || blockNumber > this.#newest.blockNumber;
    if (!isNews || !isNewest) return;
    this.#newest = update;
    this.#deps.onUpdate(update);
  }

  #isIgnored(update: L1StateUpdate): boolean {
    if (this.#inquiry.isRefuted(update)) return true;
    // The core contract keeps the same state until its next update.
    const isCoreState = update.transactionHash === undefined;
    return isCoreState && this.#passedOver.some((passed) => isSameState(passed, update));
  }

  /** Highest block to compare: below the first difference if there is one; -1 without a block. */
  #limit(): number {
    const latest = this.#deps.chain.latestNumber() ?? -1;
    const differing = this.#differing;
    return differing === undefined ? latest : Math.min(latest, Number(differing.blockNumber) - 1);
  }

  /** Updates up to a block that agree with the chain, in ascending order, and the first that differs. */
  #compare(limit: number): {
    readonly agreeing: readonly L1StateUpdate[];
    readonly differing: L1StateUpdate | undefined;
  } {
    const agreeing: L1StateUpdate[] = [];
    for (const update of this.#pending.upTo(limit)) {
      const header = this.#deps.chain.header(Number(update.blockNumber));
      if (header === undefined) break;
      const isSame = header.hash === update.blockHash && header.stateRoot === update.stateRoot;
      if (!isSame) {
        // A block with contradictory updates does not count as agreeing.
        const below = agreeing.filter(({ blockNumber }) => blockNumber < update.blockNumber);
        return { agreeing: below, differing: update };
      }
      agreeing.push(update);
    }
    return { agreeing, differing: undefined };
  }

  async #settle(agreeing: readonly L1StateUpdate[]): Promise<void> {
    const last = agreeing.at(-1);
    if (last === undefined) return;
    const { chain, settle } = this.#deps;
    const number = Number(last.blockNumber);
    const isAccepted = number <= (chain.l1AcceptedNumber() ?? -1) || (await settle(number));
    if (isAccepted) this.#pending.remove(agreeing);
  }

  /** Has the endpoints confirm or refute an update. @returns whether it is settled */
  async #examine(update: L1StateUpdate, ask: AskReports): Promise<boolean> {
    if (this.#mismatch !== undefined) return false;
    const { onEvent, acceptedDivergences } = this.#deps;
    const { l1Block, transactionHash } = update;
    if (this.#pending.isReplaced(update)) {
      this.#pending.remove([update]);
      onEvent({ kind: "replaced", update });
      return true;
    }
    if (transactionHash !== undefined && acceptedDivergences.includes(transactionHash)) {
      this.#passOver(update);
      return true;
    }
    const inquiry = this.#inquiry;
    const named = transactionHash === undefined ? acceptedDivergences : [];
    const verdict = await inquiry.examine(update, () => ask(l1Block.number, named));
    // Meanwhile the chain may have changed, or L1 may have been reorganized.
    const isStale = inquiry !== this.#inquiry || !this.#pending.has(update);
    if (verdict === undefined || isStale) return false;
    const { kind, said } = verdict;
    switch (kind) {
      case "confirmed":
        this.#raise(update, said);
        return false;
      case "named":
        this.#passOver(update);
        return true;
      case "refuted":
        this.#pending.remove([update]);
        onEvent({ kind: "refuted", update, said });
        return true;
      case "undecided":
        this.#isDoubting = true;
        onEvent({ kind: "doubted", update, said });
        return false;
    }
  }

  #passOver(update: L1StateUpdate): void {
    this.#pending.remove([update]);
    this.#passedOver = [...this.#passedOver, update];
    this.#deps.onEvent({ kind: "passed_over", update });
  }

  #resolve(): void {
    if (!this.#isDoubting) return;
    this.#isDoubting = false;
    this.#deps.onEvent({ kind: "resolved" });
  }

  #newInquiry(): MismatchInquiry {
    const { chain } = this.#deps;
    return new MismatchInquiry((blockNumber) => chain.header(blockNumber));
  }

  #raise(differing: L1StateUpdate, said: string): void {
    const { chain, onMismatch } = this.#deps;
    const own = chain.header(Number(differing.blockNumber));
    if (own === undefined) return;
    this.#differing = differing;
    this.#mismatch = {
      kind: "state_mismatch",
      message: mismatchText({ differing, own, agreed: this.#newestAgreed(), said }),
      l1Block: differing.l1Block,
    };
    onMismatch(this.#mismatch);
  }

  /** Highest block that is the same on both sides: by an update of this run, or accepted before it. */
  #newestAgreed(): AgreedState | undefined {
    const { chain } = this.#deps;
    const update = this.#agreed;
    const accepted = chain.l1AcceptedNumber() ?? -1;
    const isUpdate = update !== undefined && update.blockNumber >= BigInt(accepted);
    const blockNumber = isUpdate ? Number(update.blockNumber) : accepted;
    const stateRoot = chain.header(blockNumber)?.stateRoot;
    if (stateRoot === undefined) return undefined;
    return { blockNumber, stateRoot, update: isUpdate ? update : undefined };
  }
}
