import { L1Error } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { CoreState } from "#io/l1/index.ts";
import { l1MessageHash } from "#protocol/chain/index.ts";
import type { AcceptedBlocks, CoreOperator, CoreRules, SettledBlock } from "./ports.ts";
import { stateUpdate } from "./program-output.ts";

/** What settling needs. */
export interface SettlerDeps {
  readonly blocks: AcceptedBlocks;
  readonly core: CoreOperator;
  /** Is told each block that was settled, in order. */
  readonly onSettled: (block: SettledBlock) => void;
  /** When it is aborted, no further block is begun. */
  readonly signal: AbortSignal;
}

/**
 * Posts the state updates of accepted blocks to the core contract, one block at a time, from the one on
 * that follows the contract's own: nothing is kept here, so that it goes on wherever it was ended.
 *
 * Before each block the state that the contract tells is compared with the chain's.
 */
export class Settler {
  readonly #deps: SettlerDeps;
  #last: SettledBlock | undefined;

  constructor(deps: SettlerDeps) {
    this.#deps = deps;
  }

  /**
   * Settles until the contract has a block, and whatever it has beyond.
   *
   * @returns the number of the newest block that the contract has; -1: none
   * @throws {L1Error} when L1 does not answer or refuses, when the contract is of another chain, or a
   *   block consumed a message that does not wait there
   */
  async settle(upTo: number): Promise<number> {
    const { core, signal } = this.#deps;
    const rules = await core.rules();
    for (;;) {
      const state = await core.state();
      await this.#requireSame(state);
      if (state.blockNumber >= BigInt(upTo) || signal.aborted) return Number(state.blockNumber);
      await this.#settleNext(state, rules);
    }
  }

  async #settleNext(state: CoreState, rules: CoreRules): Promise<void> {
    const { blocks, core, onSettled } = this.#deps;
    const block = await blocks.block(Number(state.blockNumber) + 1);
    if (block.parentHash !== state.blockHash) throw otherChain(state, block.parentHash);
    await this.#requireMessages(block);
    try {
      await core.post(stateUpdate(state, block, rules));
    } catch (cause) {
      // Somebody else may have posted it, or this one before it was ended.
      const now = await core.state();
      if (now.blockNumber <= state.blockNumber) throw cause;
      return;
    }
    const now = await core.state();
    if (now.blockNumber < BigInt(block.number)) {
      throw new L1Error(
        "L1_NOT_SETTLED",
        `L1 took the update of block ${block.number}, but the core contract tells block ${now.blockNumber}: try again`,
        true,
      );
    }
    this.#last = block;
    onSettled(block);
  }

  /** Requires that the block that the contract has is one of this chain. */
  async #requireSame({ blockNumber, blockHash, stateRoot }: CoreState): Promise<void> {
    if (blockNumber < 0n) {
      if (stateRoot === 0n && blockHash === 0n) return;
      throw new L1Error(
        "L1_OTHER_CHAIN",
        "the core contract has no block, but a state: no chain begins with it",
        false,
      );
    }
    const { blocks } = this.#deps;
    const newest = await blocks.newest();
    if (blockNumber > BigInt(newest)) {
      throw new L1Error(
        "L1_AHEAD",
        `the core contract has block ${blockNumber}, the node block ${newest} at most`,
        true,
      );
    }
    const isLast = BigInt(this.#last?.number ?? -1) === blockNumber;
    const own =
      isLast && this.#last !== undefined ? this.#last : await blocks.block(Number(blockNumber));
    if (own.hash === blockHash && own.stateRoot === stateRoot) return;
    throw otherChain({ blockNumber, blockHash, stateRoot }, own.hash);
  }

  /** The contract would refuse them too, but not say which. */
  async #requireMessages({ number, messagesToL2 }: SettledBlock): Promise<void> {
    const byHash = new Map(messagesToL2.map((message) => [l1MessageHash(message), message]));
    const [missing] = await this.#deps.core.missingMessages([...byHash.keys()]);
    if (missing === undefined) return;
    const message = byHash.get(missing);
    throw new L1Error(
      "L1_UNKNOWN_MESSAGE",
      `block ${number} consumed message ${hexFromFelt(missing)} (nonce ${message?.nonce}), which does not wait at the core contract: it was never sent there, or canceled; the chain cannot be settled beyond block ${number - 1}`,
      false,
    );
  }
}

function otherChain({ blockNumber, blockHash }: CoreState, own: bigint): L1Error {
  return new L1Error(
    "L1_OTHER_CHAIN",
    `the core contract has block ${blockNumber} with hash ${hexFromFelt(blockHash)}, the node with hash ${hexFromFelt(own)}: it is of another chain, or of one that was reverted`,
    false,
  );
}
