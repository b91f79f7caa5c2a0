import { randomBytes } from "node:crypto";
import type { MainContext } from "#api/rpc/index.ts";
import type { PendingBlock } from "#engine/state/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";

/** A block that is not accepted. */
export interface UnacceptedBlock {
  readonly number: number;
  /** Names its making: a block that is built again, or by another run of the node, has another one. */
  readonly identifier: string;
  /** Its transactions that are executed. */
  readonly count: number;
  /** Hash of the last of them; `null`: there is none. */
  readonly last: Felt | null;
  /** It is the last one: what the executor was handed stands behind it. */
  readonly isOpen: boolean;
}

/** Bytes of what tells runs of the node from each other. */
const RUN_BYTES = 6;

/** Names the blocks that are not accepted, each making of one by another name. */
export class Makings {
  readonly #run = randomBytes(RUN_BYTES).toString("hex");
  /** A block that is begun anew has an `info` of its own. */
  readonly #makings = new WeakMap<BlockInfo, number>();
  #next = 1;

  /**
   * The block of a number above the accepted ones, up to the open one; while none is open, the one that
   * would be opened now.
   *
   * @param number - `latest`: the open one
   * @returns `undefined`: the block is accepted, or not begun
   */
  find(context: MainContext, number: bigint | "latest"): UnacceptedBlock | undefined {
    const views = context.unaccepted();
    const open = views.at(-1);
    const next = (context.chain.latestNumber() ?? -1) + 1;
    if (open === undefined) {
      if (number !== "latest" && number !== BigInt(next)) return undefined;
      // It is empty, whenever that is asked: there is no need to know its time and its prices.
      const identifier = `${this.#run}-${next}-0`;
      return { number: next, identifier, count: 0, last: null, isOpen: true };
    }
    const view =
      number === "latest" ? open : views.find(({ info }) => BigInt(info.number) === number);
    return view && this.#describe(view, view === open);
  }

  #describe({ info, transactions }: PendingBlock, isOpen: boolean): UnacceptedBlock {
    let making = this.#makings.get(info);
    if (making === undefined) this.#makings.set(info, (making = this.#next++));
    const identifier = `${this.#run}-${info.number}-${making}`;
    const last = transactions.at(-1)?.hash ?? null;
    return { number: info.number, identifier, count: transactions.length, last, isOpen };
  }
}
