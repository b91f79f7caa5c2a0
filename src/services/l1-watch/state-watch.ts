import { hexFromFelt } from "#base/primitives/index.ts";
import type { CoreState, L1BlockId, StateUpdateLog } from "#io/l1/index.ts";
import { PendingUpdates } from "./pending-updates.ts";
import type { L1Alarm } from "./ports.ts";
import type { L1StateUpdate, StateWatchDeps } from "./state-ports.ts";

/** Most updates that wait for their blocks: a chain that is settled every 30 seconds for nine hours. */
const MAX_PENDING = 1024;

/**
 * Compares the chain with its state on L1, and makes blocks accepted on L1 that are the same there, by
 * root and by hash. An update whose block is not here yet waits. After a difference nothing is accepted
 * on L1 any more. What is accepted stays so, whatever L1 tells later.
 */
export class StateWatch {
  readonly #deps: StateWatchDeps;
  readonly #pending = new PendingUpdates(MAX_PENDING);
  #newest: L1StateUpdate | undefined;
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
    this.#take({ ...state, l1Block: { number: l1Block.number, hash: l1Block.hash } }, true);
  }

  /**
   * Looks at the updates whose blocks are here.
   *
   * @throws what `settle` does; they are looked at again then
   */
  async advance(): Promise<void> {
    const { chain, settle } = this.#deps;
    const latest = chain.latestNumber();
    if (latest === undefined || this.#mismatch !== undefined) return;
    const checked: L1StateUpdate[] = [];
    for (const update of this.#pending.upTo(latest)) {
      const isSame = this.#compare(update);
      if (isSame === undefined) break;
      if (!isSame) return;
      checked.push(update);
    }
    const last = checked.at(-1);
    if (last === undefined) return;
    const number = Number(last.blockNumber);
    const isAccepted = number <= (chain.l1AcceptedNumber() ?? -1) || (await settle(number));
    if (isAccepted) this.#pending.remove(checked);
  }

  /** L1 has other blocks than those that were read: what waits is told again. */
  rewind(): void {
    this.#pending.clear();
    this.#newest = undefined;
  }

  /** The chain is another, as after a revert: it is compared anew. */
  reset(): void {
    this.rewind();
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

  /** `undefined`: the block is not here. */
  #compare(update: L1StateUpdate): boolean | undefined {
    const { chain, onMismatch } = this.#deps;
    const number = Number(update.blockNumber);
    const header = chain.header(number);
    if (header === undefined) return undefined;
    const { hash, stateRoot } = header;
    if (hash === update.blockHash && stateRoot === update.stateRoot) return true;
    const { l1Block } = update;
    const accepted = chain.l1AcceptedNumber();
    this.#mismatch = {
      kind: "state_mismatch",
      message:
        `L1 has block ${number} with hash ${hexFromFelt(update.blockHash)} and root ` +
        `${hexFromFelt(update.stateRoot)} (L1 block ${l1Block.number}, ${hexFromFelt(l1Block.hash)}), ` +
        `here it has hash ${hexFromFelt(hash)} and root ${hexFromFelt(stateRoot)}: nothing more is ` +
        `accepted on L1. Check --l1-endpoint and eth_core_contract_address; if they are right, ` +
        `${remedy(accepted, number)}`,
      l1Block,
    };
    onMismatch(this.#mismatch);
    return false;
  }
}

function remedy(accepted: number | undefined, wrong: number): string {
  if (accepted === undefined || accepted >= wrong) return "this chain is not the one that L1 has";
  return `revert this chain to block ${accepted}, the newest that is the same on L1`;
}
