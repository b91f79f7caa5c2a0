import type { CairoVm } from "#engine/cairo/index.ts";
import {
  type BlockContext,
  encodePrevalidated,
  validateTransaction,
} from "#engine/execution/index.ts";
import { encodePendingDelta } from "#engine/state/index.ts";
import { encodeStateDiff, encodeTransaction } from "#protocol/chain/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { decodeBatch, encodeBatch } from "#services/admission/index.ts";
import {
  BlockProducer,
  type L1Prices,
  type ProducerSettings,
  type RehearsalMessage,
  SYSTEM_CLOCK,
} from "#services/sequencer/index.ts";
import { type IdleWork, madeInIdleTurns } from "./idle-turns.ts";
import { scratchTransfer } from "./scratch-transfer.ts";
import { warmUpState } from "./warm-up-state.ts";

/** Delay that lets other threads start first. */
const DELAY_MS = 100;

/** Number of blocks per completed one: completion takes the committer longer than execution. */
const BLOCKS_PER_REHEARSAL = 4;

/** Unused: the block's own prices apply. */
const NO_L1_PRICES: L1Prices = {
  l1GasWei: 0n,
  l1DataGasWei: 0n,
  friPerWei: { numerator: 1n, denominator: 1n },
};

/** Dependencies of {@link warmUpBlocks}. */
export interface ScratchBlockDeps {
  readonly vm: CairoVm;
  readonly settings: ProducerSettings;
  /** Called once, in the first turn. */
  readonly blockOf: () => BlockContext;
  /** Commits a block to a chain that is discarded. */
  readonly rehearse: (message: RehearsalMessage) => void;
  readonly timer: Timer;
}

/**
 * Warms up block production, in the executor and in the committer: the runtime compiles the code that every
 * block of transfers runs. Stop it when real transactions arrive.
 *
 * @param count - number of blocks of one transfer; 0 for none
 */
export function warmUpBlocks(count: number, deps: ScratchBlockDeps): IdleWork {
  let made = 0;
  return madeInIdleTurns(count, DELAY_MS, deps.timer, () => {
    const blockAt = scratchBlocks(deps.vm, deps.settings, deps.blockOf());
    return () => {
      const block = blockAt(Math.floor(made / BLOCKS_PER_REHEARSAL));
      if (block !== undefined && made++ % BLOCKS_PER_REHEARSAL === 0) deps.rehearse(block);
      return block !== undefined;
    };
  });
}

/**
 * Creates blocks of one transfer over a scratch state, through all steps from admission's batch to the
 * committer's input. Nothing is stored or visible. Each block number has a distinct recipient.
 *
 * @returns a function that makes the block of a number, in some milliseconds; `undefined` if the transfer is
 *   not included
 */
export function scratchBlocks(
  vm: CairoVm,
  settings: ProducerSettings,
  block: BlockContext,
): (number: number) => RehearsalMessage | undefined {
  const state = warmUpState(block.feeTokens);
  const producer = new BlockProducer(vm, settings, {
    clock: SYSTEM_CLOCK,
    blockHash: (number) => BigInt(number),
    l1Prices: () => NO_L1_PRICES,
    beforeTransaction: () => undefined,
    processorMs: () => 0,
    pace: null,
    priced: () => block.info.gasPrices,
  });
  return (blockNumber) => {
    const transfer = scratchTransfer(block, 0n, BigInt(blockNumber));
    const validation = validateTransaction(vm, state, block, transfer);
    if (validation.kind !== "valid" || validation.prevalidated === undefined) return undefined;
    const prevalidated = encodePrevalidated(validation.prevalidated);
    const batch = encodeBatch([{ transaction: encodeTransaction(transfer), prevalidated }]);
    producer.prepare(blockNumber, undefined, state);
    const { delta } = producer.execute(decodeBatch(batch));
    if (delta === undefined) return undefined;
    const { draft, delta: last } = producer.seal();
    return {
      kind: "rehearsal",
      blockNumber,
      deltas: [delta, last].map((part) => encodePendingDelta(part)),
      stateDiff: encodeStateDiff(draft.stateDiff),
    };
  };
}
