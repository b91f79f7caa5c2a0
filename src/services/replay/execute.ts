import type { CairoVm } from "#engine/cairo/index.ts";
import {
  type BlockContext,
  BlockExecutor,
  type ExecutionFlags,
  TraceMemory,
  transactionTrace,
} from "#engine/execution/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type {
  ExecutableClass,
  HashedTransaction,
  Receipt,
  StateDiff,
} from "#protocol/chain/index.ts";
import type { RemoteReceipt, RemoteTrace } from "#io/client/index.ts";
import { checkFeeTaken } from "./check-fee.ts";
import { NOTHING_LEFT_OUT, compareDiffs } from "./compare-diffs.ts";
import { compareReceipts } from "./compare-receipts.ts";
import { compareTrace } from "./compare-trace.ts";
import { differ } from "./difference.ts";
import type { WitnessReader } from "./witness-reader.ts";

/** What a block is executed with. */
export interface ExecutionInput {
  readonly vm: CairoVm;
  readonly context: BlockContext;
  readonly reader: WitnessReader;
  readonly transactions: readonly HashedTransaction[];
  /** What the node tells; one for each transaction. */
  readonly receipts: readonly RemoteReceipt[];
  /** What the node tells; one for each transaction. */
  readonly traces: readonly RemoteTrace[];
  /** What the node tells. */
  readonly stateDiff: StateDiff;
  /** The block whose hash becomes readable; from block 10 on. */
  readonly oldBlock: { readonly number: number; readonly hash: Felt } | undefined;
  /** Classes by hash that the block's transactions declare. */
  readonly declared: ReadonlyMap<Felt, ExecutableClass>;
  readonly flags: ExecutionFlags;
  /** Called before each transaction; may throw to end the work. */
  readonly step: () => Promise<void>;
}

/** What came of a block. */
export interface ExecutedBlock {
  readonly receipts: readonly Receipt[];
  readonly stateDiff: StateDiff;
}

/**
 * Executes a block and compares each receipt and trace, then the state diff, with what the node tells.
 *
 * @throws {DifferenceFound} at the first difference
 */
export async function executeAgain(input: ExecutionInput): Promise<ExecutedBlock> {
  const { vm, context, reader, transactions, oldBlock, stateDiff: theirs } = input;
  const executor = new BlockExecutor(vm, reader, context);
  executor.begin(oldBlock);
  const receipts: Receipt[] = [];
  for (const [index, hashed] of transactions.entries()) {
    await input.step();
    receipts.push(executeOne(input, executor, hashed, index));
  }
  // Closing reads aliases of what was changed: a change that the node does not tell comes first.
  const { flags, os } = context.constants;
  const storageOf = flags.enableStatefulCompression ? os.contractAddresses.alias : null;
  compareDiffs(executor.stateDiff(), theirs, { storageOf, migrations: true });
  const { stateDiff } = executor.finish();
  reader.requireAllProven();
  compareDiffs(stateDiff, theirs, NOTHING_LEFT_OUT);
  return { receipts, stateDiff };
}

/** An answer is read that has 16 Mi values at most (`io/client`): a trace with more felts is not in it. */
const MAX_TRACE_BYTES = 512 << 20;

function executeOne(
  { context, reader, receipts, traces, declared, flags }: ExecutionInput,
  executor: BlockExecutor,
  hashed: HashedTransaction,
  index: number,
): Receipt {
  const { hash, transaction } = hashed;
  const place = { index, hash };
  const theirs = receipts[index] ?? differ("receipt", "one for each transaction", "none", place);
  const theirTrace = traces[index] ?? differ("trace", "one for each transaction", "none", place);
  const declaredClass =
    transaction.type === "DECLARE" ? declared.get(transaction.classHash) : undefined;
  checkFeeTaken(transaction, theirs, flags.chargeFee !== false, place);
  const trace = new TraceMemory(MAX_TRACE_BYTES);
  const outcome = executor.execute(hashed, { ...flags, trace }, declaredClass);
  reader.requireAllProven();
  switch (outcome.kind) {
    case "included":
      compareReceipts(hashed, outcome.receipt, theirs, index);
      if (trace.isExceeded) {
        const most = `more calldata and results than ${MAX_TRACE_BYTES >> 20} MiB`;
        return differ("trace", most, "a trace", place);
      }
      compareTrace(
        transactionTrace(context, hashed, outcome.info, executor.reader()),
        theirTrace,
        index,
      );
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
    case "block_full":
    case "cancelled":
      return differ("transaction", outcome.kind, `included as ${hexFromFelt(hash)}`, place);
  }
}
