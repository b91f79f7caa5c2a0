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
import { checkChargedFee } from "./check-fee.ts";
import { NOTHING_OMITTED, compareDiffs } from "./compare-diffs.ts";
import { compareReceipts, type ReportedReceipt } from "./compare-receipts.ts";
import { differ, type TransactionPlace } from "./difference.ts";

/** Rules of a chain that are not in its headers. */
export interface ChainRules {
  readonly chainId: Felt;
  readonly feeTokens: FeeTokens;
  /** @throws {ConfigError} for an unknown version */
  readonly constantsOf: (protocolVersion: string) => ProtocolConstants;
  readonly chargeFees: boolean;
}

/**
 * Returns the execution context of the block with this header, without limits of capacity.
 *
 * @throws {ConfigError} when the protocol version is unknown
 */
export function contextOfHeader(header: BlockHeader, rules: ChainRules): BlockContext {
  const { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion } = header;
  return {
    info: { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion },
    chainId: rules.chainId,
    feeTokens: rules.feeTokens,
    constants: rules.constantsOf(protocolVersion),
    // A block that exists is never too large.
    bouncer: { limits: {} },
  };
}

/** Execution flags for re-executing blocks of a chain. */
export function flagsOf({ chargeFees }: Pick<ChainRules, "chargeFees">): ExecutionFlags {
  return chargeFees ? {} : { chargeFee: false, freeGas: true };
}

/** Inputs for re-executing a block, with another node's results to compare. */
export interface ReplayInput {
  readonly vm: CairoVm;
  readonly context: BlockContext;
  readonly reader: StateReader;
  readonly transactions: readonly HashedTransaction[];
  /** One for each transaction. */
  readonly receipts: readonly ReportedReceipt[];
  readonly stateDiff: StateDiff;
  /** The block whose hash becomes readable; `undefined` for the first 10 blocks. */
  readonly oldBlock: { readonly number: number; readonly hash: Felt } | undefined;
  /** Classes declared by the block's transactions, by hash. */
  readonly declared: ReadonlyMap<Felt, ExecutableClass>;
  readonly flags: ExecutionFlags;
}

/** A re-executed transaction. */
export interface ExecutedTransaction {
  readonly index: number;
  readonly hashed: HashedTransaction;
  readonly info: TransactionExecutionInfo;
  /** The state after the transaction. */
  readonly state: StateReader;
}

/** Callbacks between the transactions of a re-executed block. */
export interface ExecutionSteps {
  /** Called before each transaction; may throw to stop the work. */
  readonly before: () => Promise<void>;
  /** The flags of the next transaction. */
  readonly flags: () => ExecutionFlags;
  /** Called when the machine was stopped in mid-execution: throws the reason. */
  readonly cancelled: () => Promise<never>;
  /** Called after each execution, whatever its outcome; may throw. */
  readonly ran: () => void;
  /** Called for a transaction whose receipt matches; may throw. */
  readonly included: (executed: ExecutedTransaction) => void;
}

/** Result of executing a block. */
export interface ExecutedBlock {
  readonly receipts: readonly Receipt[];
  readonly stateDiff: StateDiff;
}

/**
 * Executes a block, and compares each receipt, then the state diff, with another node's.
 *
 * @throws {DifferenceFound} at the first difference
 */
export async function executeBlock(
  input: ReplayInput,
  steps: ExecutionSteps,
): Promise<ExecutedBlock> {
  const { vm, context, reader, transactions, oldBlock, stateDiff: theirs } = input;
  const executor = new BlockExecutor(vm, reader, context);
  executor.begin(oldBlock);
  const receipts: Receipt[] = [];
  for (const [index, hashed] of transactions.entries()) {
    await steps.before();
    receipts.push(await executeOne({ input, steps, executor }, hashed, index));
  }
  // Closing the block reads aliases of all changed keys: report a change that the node lacks first.
  const { flags, os } = context.constants;
  const storageOf = flags.enableStatefulCompression ? os.contractAddresses.alias : null;
  compareDiffs(executor.stateDiff(), theirs, { storageOf, migrations: true });
  const { stateDiff } = executor.finish();
  steps.ran();
  compareDiffs(stateDiff, theirs, NOTHING_OMITTED);
  return { receipts, stateDiff };
}

interface Work {
  readonly input: ReplayInput;
  readonly steps: ExecutionSteps;
  readonly executor: BlockExecutor;
}

async function executeOne(
  { input: { receipts, declared, flags }, steps, executor }: Work,
  hashed: HashedTransaction,
  index: number,
): Promise<Receipt> {
  const { hash, transaction } = hashed;
  const place: TransactionPlace = { index, hash };
  const theirs = receipts[index] ?? differ("receipt", "one for each transaction", "none", place);
  const declaredClass =
    transaction.type === "DECLARE" ? declared.get(transaction.classHash) : undefined;
  checkChargedFee(transaction, theirs, flags.chargeFee !== false, place);
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
        `cannot be included in a block: ${code}: ${message}`,
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
