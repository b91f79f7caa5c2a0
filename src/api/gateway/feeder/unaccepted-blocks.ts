import { randomBytes } from "node:crypto";
import type { MainContext } from "#api/rpc/index.ts";
import type { PendingBlock } from "#engine/state/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";

/** Block that is not accepted yet. */
export interface UnacceptedBlock {
  readonly number: number;
  /** Unique per build: a block built again, or by another run of the node, has a different identifier. */
  readonly identifier: string;
  /** Number of executed transactions in the block. */
  readonly count: number;
  /** Hash of the block's last executed transaction; `null` before the first one. */
  readonly last: Felt | null;
  /** Whether this is the newest block: candidates may follow its executed transactions. */
  readonly isOpen: boolean;
}

/** Length of the random identifier of one run of the node. */
const RUN_BYTES = 6;

/** Assigns identifiers to unaccepted blocks, a new one for each build. */
export class UnacceptedBlocks {
  readonly #run = randomBytes(RUN_BYTES).toString("hex");
  /** Every build of a block has its own `info` object. */
  readonly #builds = new WeakMap<BlockInfo, number>();
  #next = 1;

  /**
   * Finds an unaccepted block by number. While no block is open, the next block number yields an empty block.
   *
   * @param number - `latest` for the open block
   * @returns `undefined` if the block is accepted or not started
   */
  find(context: MainContext, number: bigint | "latest"): UnacceptedBlock | undefined {
    const views = context.unaccepted();
    const open = views.at(-1);
    const next = (context.chain.latestNumber() ?? -1) + 1;
    if (open === undefined) {
      if (number !== "latest" && number !== BigInt(next)) return undefined;
      // The block stays empty until it opens, so its time and prices are not needed.
      const identifier = `${this.#run}-${next}-0`;
      return { number: next, identifier, count: 0, last: null, isOpen: true };
    }
    const view =
      number === "latest" ? open : views.find(({ info }) => BigInt(info.number) === number);
    return view && this.#describe(view, view === open);
  }

  #describe({ info, transactions }: PendingBlock, isOpen: boolean): UnacceptedBlock {
    let build = this.#builds.get(info);
    if (build === undefined) this.#builds.set(info, (build = this.#next++));
    const identifier = `${this.#run}-${info.number}-${build}`;
    const last = transactions.at(-1)?.hash ?? null;
    return { number: info.number, identifier, count: transactions.length, last, isOpen };
  }
}
