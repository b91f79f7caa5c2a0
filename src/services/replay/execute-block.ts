import type { CairoVm } from "#engine/cairo/index.ts";
import {
  type BlockContext,
  BlockExecutor,
  type ExecutionFlags,
  type FeeTokens,
  type TransactionExecutionInfo,
} from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type {
  BlockHeader,
  ExecutableClass,
  HashedTransaction,
  Receipt,
  StateDiff,
} from "#protocol/chain/index.ts";
import type { ProtocolConstants } from "#protocol/versions/index.ts";
import { checkFeeTaken } from "./check-fee.ts";
import { NOTHING_LEFT_OUT, compareDiffs } from "./compare-diffs.ts";
import { compareReceipts, type ToldReceipt } from "./compare-receipts.ts";
import { differ, type TransactionPlace } from "./difference.ts";

/** What of a chain no header tells. */
export interface ChainRules {
  readonly chainId: Felt;
  readonly feeTokens: FeeTokens;
  /** @throws {ConfigError} for a version that is not known */
  readonly constantsOf: (protocolVersion: string) => ProtocolConstants;
  /** Whether the chain takes fees. */
  readonly chargeFees: boolean;
}

/** In what a block was executed whose header this is. */
export function contextOfHeader(header: BlockHeader, rules: ChainRules): BlockContext {
  const { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion } = header;
  return {
    info: { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion },
    chainId: rules.chainId,
    feeTokens: rules.feeTokens,
    constants: rules.constantsOf(protocolVersion),
    // Nothing is too large for a block that was made.
    bouncer: { limits: {} },
  };
}

/** How the blocks of a chain are executed again. */
export function flagsOf({ chargeFees }: Pick<ChainRules, "chargeFees">): ExecutionFlags {
  return chargeFees ? {} : { chargeFee: false, freeGas: true };
}

/** What a block is executed with, and what another node tells of it. */
export interface ToldBlock {
  readonly vm: CairoVm;
  readonly context: BlockContext;
  readonly reader: StateReader;
  readonly transactions: readonly HashedTransaction[];
  /** One for each transaction. */
  readonly receipts: readonly ToldReceipt[];
  readonly stateDiff: StateDiff;
  /** The block whose hash becomes readable; from block 10 on. */
  readonly oldBlock: { readonly number: number; readonly hash: Felt } | undefined;
  /** Classes by hash that the block's transactions declare. */
  readonly declared: ReadonlyMap<Felt, ExecutableClass>;
  readonly flags: ExecutionFlags;
}

/** A transaction that was executed again. */
export interface ExecutedTransaction {
  readonly index: number;
  readonly hashed: HashedTransaction;
  readonly info: TransactionExecutionInfo;
  /** The state after it. */
  readonly state: StateReader;
}

/** What is done between the transactions of a block that is executed again. */
export interface ExecutionSteps {
  /** Called before each transaction; may throw to end the work. */
  readonly before: () => Promise<void>;
  /** The flags of the next transaction. */
  readonly flags: () => ExecutionFlags;
  /** The machine was told to stop in the middle: throws what ends the work. */
  readonly cancelled: () => Promise<never>;
  /** Something was executed, whatever came of it; may throw. */
  readonly ran: () => void;
  /** A receipt is as it was told; may throw. */
  readonly included: (executed: ExecutedTransaction) => void;
}

/** What came of a block. */
export interface ExecutedBlock {
  readonly receipts: readonly Receipt[];
  readonly stateDiff: StateDiff;
}

/**
 * Executes a block and compares each receipt, then the state diff, with what another node tells.
 *
 * @throws {DifferenceFound} at the first difference
 */
export async function executeBlock(told: ToldBlock, steps: ExecutionSteps): Promise<ExecutedBlock> {
  const { vm, context, reader, transactions, oldBlock, stateDiff: theirs } = told;
  const executor = new BlockExecutor(vm, reader, context);
  executor.begin(oldBlock);
  const receipts: Receipt[] = [];
  for (const [index, hashed] of transactions.entries()) {
    await steps.before();
    receipts.push(await executeOne({ told, steps, executor }, hashed, index));
  }
  // Closing reads aliases of what was changed: a change that the node does not tell comes first.
  const { flags, os } = context.constants;
  const storageOf = flags.enableStatefulCompression ? os.contractAddresses.alias : null;
  compareDiffs(executor.stateDiff(), theirs, { storageOf, migrations: true });
  const { stateDiff } = executor.finish();
  steps.ran();
  compareDiffs(stateDiff, theirs, NOTHING_LEFT_OUT);
  return { receipts, stateDiff };
}

interface Work {
  readonly told: ToldBlock;
  readonly steps: ExecutionSteps;
  readonly executor: BlockExecutor;
}

async function executeOne(
  { told: { receipts, declared, flags }, steps, executor }: Work,
  hashed: HashedTransaction,
  index: number,
): Promise<Receipt> {
  const { hash, transaction } = hashed;
  const place: TransactionPlace = { index, hash };
  const theirs = receipts[index] ?? differ("receipt", "one for each transaction", "none", place);
  const declaredClass =
    transaction.type === "DECLARE" ? declared.get(transaction.classHash) : undefined;
  checkFeeTaken(transaction, theirs, flags.chargeFee !== false, place);
  const outcome = executor.execute(hashed, { ...flags, ...steps.flags() }, declaredClass);
  steps.ran();
  switch (outcome.kind) {
    case "included":
      compareReceipts(hashed, outcome.receipt, theirs, index);
      steps.included({ index, hashed, info: outcome.info, state: executor.reader() });
      return outcome.receipt;
    case "rejected": {
      const { code, message } = outcome.error;
      return differ(
        "transaction",
        `cannot stand in a block: ${code}: ${message}`,
        "included",
        place,
      );
    }
    case "cancelled":
      return steps.cancelled();
    case "block_full":
      return differ("transaction", outcome.kind, `included as ${hexFromFelt(hash)}`, place);
  }
}
