import { L1Error } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { CoreState } from "#io/l1/index.ts";
import { l1MessageHash, type L1Handler } from "#protocol/chain/index.ts";
import type {
  AcceptedBlocks,
  CoreOperator,
  CoreRules,
  SettledBlock,
  SettledRange,
} from "./ports.ts";
import { stateUpdate } from "./program-output.ts";

/** Maximum blocks of one update: limits the reading that a killed run wastes. */
const MAX_RANGE_BLOCKS = 500;

/**
 * Upper estimate of the gas that the core contract uses for the messages of a range. A transaction may use 16
 * 777 216 (EIP-7825); header, storage and the margin of estimates need the rest.
 */
const MAX_MESSAGES_GAS = 12_000_000;
const GAS_PER_MESSAGE = 40_000;
const GAS_PER_WORD = 2_000;

/** Dependencies of {@link Settler}. */
export interface SettlerDeps {
  readonly blocks: AcceptedBlocks;
  readonly core: CoreOperator;
  /** Called after each update, in order. */
  readonly onSettled: (range: SettledRange) => void;
  /** Once aborted, no further update is posted. */
  readonly signal: AbortSignal;
}

/**
 * Posts state updates of accepted blocks to the core contract, each for a range of blocks, starting after the
 * contract's current block. It stores nothing, so a later run continues where an earlier one ended.
 *
 * Before each update the contract's state is compared with the chain's.
 */
export class Settler {
  readonly #deps: SettlerDeps;
  #last: SettledBlock | undefined;

  constructor(deps: SettlerDeps) {
    this.#deps = deps;
  }

  /**
   * Settles blocks until the contract has block `upTo` or a later one.
   *
   * @returns the contract's newest block; -1 without a block
   * @throws {L1Error} when L1 does not answer or refuses, when the contract belongs to another chain, or when
   * a block consumed a message that is not pending there
   */
  async settle(upTo: number): Promise<number> {
    const { core, signal } = this.#deps;
    const rules = await core.rules();
    for (;;) {
      const state = await core.state();
      await this.#requireSame(state);
      if (state.blockNumber >= BigInt(upTo) || signal.aborted) return Number(state.blockNumber);
      await this.#settleNext(state, rules, upTo);
    }
  }

  async #settleNext(state: CoreState, rules: CoreRules, upTo: number): Promise<void> {
    const { core, onSettled, signal } = this.#deps;
    const range = await this.#rangeAfter(state, upTo);
    if (signal.aborted) return;
    try {
      await core.post(stateUpdate(state, range, rules));
    } catch (cause) {
      // Another process may have posted it, or this one before it was killed.
      const now = await core.state();
      if (now.blockNumber <= state.blockNumber) throw cause;
      return;
    }
    const now = await core.state();
    if (now.blockNumber < BigInt(range.number)) {
      throw new L1Error(
        "L1_NOT_SETTLED",
        `L1 accepted the update of block ${range.number}, but the core contract reports block ${now.blockNumber}: try again`,
        true,
      );
    }
    this.#last = range;
    onSettled(range);
  }

  /** Returns the blocks of the next update: at least the next one, then as many as fit. */
  async #rangeAfter(state: CoreState, upTo: number): Promise<SettledRange> {
    const { blocks, signal } = this.#deps;
    const firstNumber = Number(state.blockNumber) + 1;
    const first = await blocks.block(firstNumber);
    if (first.parentHash !== state.blockHash) throw otherChain(state, first.parentHash);
    await this.#requireMessages(first);
    const taken = [first];
    let gas = messagesGas(first);
    let last = first;
    while (last.number < upTo && taken.length < MAX_RANGE_BLOCKS && !signal.aborted) {
      const block = await blocks.block(last.number + 1);
      gas += messagesGas(block);
      // A block that cannot be settled is reported by the next update, which starts with it.
      const isBad =
        block.parentHash !== last.hash || (await this.#missingMessage(block)) !== undefined;
      if (isBad || gas > MAX_MESSAGES_GAS) break;
      taken.push(block);
      last = block;
    }
    return {
      ...last,
      firstNumber,
      messagesToL1: taken.flatMap(({ messagesToL1 }) => messagesToL1),
      messagesToL2: taken.flatMap(({ messagesToL2 }) => messagesToL2),
    };
  }

  /** Requires that the contract's block is on this chain. */
  async #requireSame({ blockNumber, blockHash, stateRoot }: CoreState): Promise<void> {
    if (blockNumber < 0n) {
      if (stateRoot === 0n && blockHash === 0n) return;
      throw new L1Error(
        "L1_OTHER_CHAIN",
        "the core contract has a state but no block: no chain starts like that",
        false,
      );
    }
    const { blocks } = this.#deps;
    const newest = await blocks.newest();
    if (blockNumber > BigInt(newest)) {
      throw new L1Error(
        "L1_AHEAD",
        `the core contract has block ${blockNumber}, the node only has block ${newest}`,
        true,
      );
    }
    const isLast = BigInt(this.#last?.number ?? -1) === blockNumber;
    const own =
      isLast && this.#last !== undefined ? this.#last : await blocks.block(Number(blockNumber));
    if (own.hash === blockHash && own.stateRoot === stateRoot) return;
    throw otherChain({ blockNumber, blockHash, stateRoot }, own.hash);
  }

  /**
   * Requires that the block's messages are pending. The contract would refuse them too, without naming one.
   */
  async #requireMessages(block: SettledBlock): Promise<void> {
    const message = await this.#missingMessage(block);
    if (message === undefined) return;
    const { number } = block;
    throw new L1Error(
      "L1_UNKNOWN_MESSAGE",
      `block ${number} consumed message ${hexFromFelt(l1MessageHash(message))} (nonce ${message.nonce}), which is not pending at the core contract: it was never sent, or was canceled; the chain cannot be settled beyond block ${number - 1}`,
      false,
    );
  }

  /** The first message to L2 that is not pending at the core contract; `undefined` when all are. */
  async #missingMessage({ messagesToL2 }: SettledBlock): Promise<L1Handler | undefined> {
    if (messagesToL2.length === 0) return undefined;
    const byHash = new Map(messagesToL2.map((message) => [l1MessageHash(message), message]));
    const [missing] = await this.#deps.core.missingMessages([...byHash.keys()]);
    return missing === undefined ? undefined : byHash.get(missing);
  }
}

function messagesGas({ messagesToL1, messagesToL2 }: SettledBlock): number {
  const lengths = [
    ...messagesToL1.map(({ payload }) => payload.length + 3),
    ...messagesToL2.map(({ calldata }) => calldata.length + 4),
  ];
  return lengths.reduce((gas, words) => gas + GAS_PER_MESSAGE + words * GAS_PER_WORD, 0);
}

function otherChain({ blockNumber, blockHash }: CoreState, own: bigint): L1Error {
  return new L1Error(
    "L1_OTHER_CHAIN",
    `the core contract has block ${blockNumber} with hash ${hexFromFelt(blockHash)}, the node with hash ${hexFromFelt(own)}: it belongs to another chain, or to one that was reverted`,
    false,
  );
}
