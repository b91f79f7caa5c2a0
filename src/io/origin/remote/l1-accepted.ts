import { hexFromFelt } from "#base/primitives/index.ts";
import { wrongAnswer } from "../errors.ts";
import type { OriginTask } from "../rpc/pending.ts";
import { readBlockList } from "./block-list.ts";
import type { OriginCaller } from "./caller.ts";
import type { ForkBlocks } from "./fork-blocks.ts";
import { orAbsent, RPC_CODES } from "./rpc-codes.ts";

/** Finds the newest block up to the fork block that is accepted on L1. It only grows. */
export class L1Accepted {
  readonly #caller: OriginCaller;
  readonly #blocks: ForkBlocks;
  #known = -1;

  constructor(caller: OriginCaller, blocks: ForkBlocks) {
    this.#caller = caller;
    this.#blocks = blocks;
  }

  /**
   * Returns the block's number; `undefined` if none is accepted.
   *
   * @param hasTag - whether the origin knows the tag `l1_accepted`; otherwise the statuses of blocks are
   *   searched
   * @throws {OriginError} as `OriginCaller.read`
   */
  async number(hasTag: boolean, task: OriginTask): Promise<number | undefined> {
    const { fork } = this.#blocks;
    if (this.#known < fork.number) {
      const found = hasTag ? await this.#tagged(task) : await this.#searched(task);
      this.#known = Math.max(this.#known, Math.min(found, fork.number));
    }
    return this.#known < 0 ? undefined : this.#known;
  }

  /** A block of another chain says nothing about this one: a URL may lead to a node of it. */
  async #tagged(task: OriginTask): Promise<number> {
    const reading = readBlockList(this.#caller, "l1_accepted", task);
    const list = await orAbsent(reading, RPC_CODES.blockNotFound);
    if (list === undefined) return -1;
    const { number, hash } = list.head;
    if (number <= this.#known) return number;
    const { fork } = this.#blocks;
    if (number > fork.number) await this.#blocks.confirm(task);
    else if (!(await this.#blocks.isAncestor(number, hash, task))) {
      const found = `block ${number} (${hexFromFelt(hash)}) as the one that L1 accepted`;
      throw wrongAnswer(`${this.#caller.names} returned ${found}, which is of another chain`);
    }
    return number;
  }

  async #searched(task: OriginTask): Promise<number> {
    let [accepted, after] = [this.#known, this.#blocks.fork.number + 1];
    // Most forks of public networks start at a block that L1 accepts soon.
    if (await this.#isAccepted(after - 1, task)) return after - 1;
    after--;
    while (after - accepted > 1) {
      const middle = (accepted + after) >> 1;
      if (await this.#isAccepted(middle, task)) accepted = middle;
      else after = middle;
    }
    // The blocks were requested by number.
    if (accepted > this.#known) await this.#blocks.confirm(task);
    return accepted;
  }

  async #isAccepted(blockNumber: number, task: OriginTask): Promise<boolean> {
    // Not from memory: the status changes.
    const list = await this.#blocks.at(
      blockNumber,
      (id) => readBlockList(this.#caller, id, task),
      task,
    );
    return list.status === "ACCEPTED_ON_L1";
  }
}
