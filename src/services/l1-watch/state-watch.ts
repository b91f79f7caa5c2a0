import type { CoreState, L1BlockId, StateUpdateLog } from "#io/l1/index.ts";
import { mismatchText } from "./mismatch-text.ts";
import { PendingUpdates } from "./pending-updates.ts";
import type { L1Alarm } from "./ports.ts";
import type { AgreedState, L1StateUpdate, StateWatchDeps } from "./state-ports.ts";

/** Most updates that wait for their blocks: a chain that is settled every 30 seconds for nine hours. */
const MAX_PENDING = 1024;

/**
 * Compares the chain with its state on L1, and makes blocks accepted on L1 that are the same there, by
 * root and by hash. An update whose block is not here yet waits. From the first difference on nothing is
 * accepted on L1; the updates below it that agree still are. What is accepted stays so, whatever L1 tells
 * later.
 */
export class StateWatch {
  readonly #deps: StateWatchDeps;
  readonly #pending = new PendingUpdates(MAX_PENDING);
  #newest: L1StateUpdate | undefined;
  /** Update with the highest block that agrees; `undefined` until one does. */
  #agreed: L1StateUpdate | undefined;
  /** First update that differs. */
  #differing: L1StateUpdate | undefined;
  #mismatch: L1Alarm | undefined;

  constructor(deps: StateWatchDeps) {
    this.#deps = deps;
  }

  /** The newest state that L1 told; `undefined`: it has none, or none was told yet. */
  get newest(): L1StateUpdate | undefined {
    return this.#newest;
  }

  /** Where L1 has something else than the chain. */
  get mismatch(): L1Alarm | undefined {
    return this.#mismatch;
  }

  /** Takes the updates of a range of L1 blocks; {@link advance} looks at them. */
  logs(updates: readonly StateUpdateLog[]): void {
    for (const update of updates) {
      const isNews = update.blockNumber > BigInt(this.#deps.chain.l1AcceptedNumber() ?? -1);
      this.#take(update, isNews);
    }
  }

  /** Takes what the core contract says at an L1 block: also what no log of the range has told. */
  coreState(state: CoreState, l1Block: L1BlockId): void {
    const { number, hash } = l1Block;
    this.#take({ ...state, l1Block: { number, hash }, transactionHash: undefined }, true);
  }

  /**
   * Looks at the updates whose blocks are here.
   *
   * @throws what `settle` does; they are looked at again then
   */
  async advance(): Promise<void> {
    const { chain, settle } = this.#deps;
    const { agreeing, differing } = this.#compare(this.#limit());
    const last = agreeing.at(-1);
    if (last !== undefined && last.blockNumber > (this.#agreed?.blockNumber ?? -1n)) {
      this.#agreed = last;
    }
    // The alarm does not depend on whether the blocks below it can be settled.
    if (differing !== undefined) this.#raise(differing);
    if (last === undefined) return;
    const number = Number(last.blockNumber);
    const isAccepted = number <= (chain.l1AcceptedNumber() ?? -1) || (await settle(number));
    if (isAccepted) this.#pending.remove(agreeing);
  }

  /** L1 has other blocks than those that were read: what waits is told again. */
  rewind(): void {
    this.#pending.clear();
    this.#newest = undefined;
  }

  /** The chain is another, as after a revert: it is compared anew. */
  reset(): void {
    this.rewind();
    this.#agreed = undefined;
    this.#differing = undefined;
    this.#mismatch = undefined;
  }

  #take(update: L1StateUpdate, isNews: boolean): void {
    const { blockNumber } = update;
    // Blocks before the first one cannot be compared; one that comes after stands for them, too.
    const oldest = this.#deps.chain.oldestBlock();
    if (blockNumber < oldest || blockNumber > Number.MAX_SAFE_INTEGER) return;
    this.#pending.add(update);
    const isNewest = this.#newest === undefined || blockNumber > this.#newest.blockNumber;
    if (!isNews || !isNewest) return;
    this.#newest = update;
    this.#deps.onUpdate(update);
  }

  /** Highest block to compare: below the first difference once there is one; -1 without a block. */
  #limit(): number {
    const latest = this.#deps.chain.latestNumber() ?? -1;
    const differing = this.#differing;
    return differing === undefined ? latest : Math.min(latest, Number(differing.blockNumber) - 1);
  }

  /** Updates up to a block that agree with the chain, the lowest first, and the one that ends them. */
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
        // One that L1 also tells otherwise does not count as agreeing.
        const below = agreeing.filter(({ blockNumber }) => blockNumber < update.blockNumber);
        return { agreeing: below, differing: update };
      }
      agreeing.push(update);
    }
    return { agreeing, differing: undefined };
  }

  #raise(differing: L1StateUpdate): void {
    const { chain, onMismatch } = this.#deps;
    const own = chain.header(Number(differing.blockNumber));
    if (own === undefined || this.#mismatch !== undefined) return;
    this.#differing = differing;
    this.#mismatch = {
      kind: "state_mismatch",
      message: mismatchText({ differing, own, agreed: this.#newestAgreed() }),
      l1Block: differing.l1Block,
    };
    onMismatch(this.#mismatch);
  }

  /** Highest block that L1 has as the chain has it: by an update of this run, or accepted before it. */
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
