import type { CairoVm } from "#engine/cairo/index.ts";
import {
  type BlockContext,
  BlockExecutor,
  type TransactionOutcome,
} from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { FetchedValues, OriginQuery } from "#io/origin/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type EncodedClass,
  encodedTransaction,
  type EncodedTransaction,
  executableClassOf,
  type HashedTransaction,
  type Receipt,
  type StateDiff,
} from "#protocol/chain/index.ts";

/** Transactions of a block of another network, with the receipts that it has there. */
export interface OriginalTransactions {
  readonly transactions: readonly HashedTransaction[];
  /** One per transaction. */
  readonly receipts: readonly Receipt[];
  /** Changes of the whole block there: most of the values that its transactions read. */
  readonly stateDiff: StateDiff;
}

/** Dependencies of {@link executeOriginals}. */
export interface OriginalsDeps {
  readonly vm: CairoVm;
  /** Conditions of the block. */
  readonly context: BlockContext;
  /** State before the block, read from {@link values}. */
  readonly state: StateReader;
  readonly values: FetchedValues;
  /** Number of the block before. */
  readonly parentNumber: number;
  /** Block whose hash the block stores; `undefined` for the first ten. */
  readonly oldBlock: { readonly number: number; readonly hash: Felt } | undefined;
  /** Returns a class that a transaction declares; `undefined` if it is unknown. */
  readonly declared: (classHash: Felt) => Promise<EncodedClass | undefined>;
}

/** Result of a transaction that differs from its original. */
export interface OriginalDifference {
  readonly transactionHash: Felt;
  /** Status and fee of the original. */
  readonly original: string;
  /** Status and fee here, or why the transaction is not in the block. */
  readonly own: string;
}

/** Transactions as executed here. */
export interface ExecutedOriginals {
  readonly transactions: readonly EncodedTransaction[];
  readonly receipts: readonly Receipt[];
  readonly classes: readonly EncodedClass[];
  readonly stateDiff: StateDiff;
  readonly differences: readonly OriginalDifference[];
}

/**
 * Executes transactions of another network's block as the content of a local block. A transaction that cannot
 * be included here is omitted.
 *
 * @throws {OriginError} when the origin does not return a value
 */
export async function executeOriginals(
  { transactions, receipts, stateDiff: originalDiff }: OriginalTransactions,
  deps: OriginalsDeps,
): Promise<ExecutedOriginals> {
  const { vm, context, state, values, parentNumber, oldBlock } = deps;
  await values.fetch(readsOf(originalDiff, parentNumber));
  const classes = await declaredClasses(transactions, deps);
  const executor = new BlockExecutor(vm, state, context);
  await values.run(() => executor.begin(oldBlock));
  const included: EncodedTransaction[] = [];
  const own: Receipt[] = [];
  const declared: EncodedClass[] = [];
  const differences: OriginalDifference[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const { hash } = transaction;
    const encoded = declaredBy(transaction, classes);
    const executable = encoded && executableClassOf(encoded);
    const outcome = await values.run(() => executor.execute(transaction, {}, executable));
    const difference = differenceOf(hash, receipts[index], outcome);
    if (difference !== undefined) differences.push(difference);
    if (outcome.kind !== "included") continue;
    included.push(encodedTransaction(transaction));
    own.push(outcome.receipt);
    if (encoded !== undefined) declared.push(encoded);
  }
  await values.fetch(aliasReads(executor.stateDiff(), context, parentNumber));
  const { stateDiff } = await values.run(() => executor.finish());
  return { transactions: included, receipts: own, classes: declared, stateDiff, differences };
}

/** Values before a block that its changes name: fetched together instead of one after another. */
function readsOf(diff: StateDiff, block: number): readonly OriginQuery[] {
  const queries: OriginQuery[] = [];
  for (const [address, cells] of diff.storageDiffs) {
    queries.push({ kind: "classHash", block, address });
    for (const key of cells.keys()) queries.push({ kind: "storage", block, address, key });
  }
  for (const address of diff.nonces.keys()) {
    queries.push({ kind: "nonce", block, address }, { kind: "classHash", block, address });
  }
  return queries;
}

/** Cells that closing a block reads: its state compression gives short names to addresses and keys. */
function aliasReads(diff: StateDiff, { constants }: BlockContext, block: number): OriginQuery[] {
  const { flags, os } = constants;
  if (!flags.enableStatefulCompression) return [];
  const names = new Set<Felt>([0n]);
  for (const [address, cells] of diff.storageDiffs) {
    names.add(address);
    for (const key of cells.keys()) names.add(key);
  }
  for (const addresses of [diff.nonces, diff.deployedContracts, diff.replacedClasses]) {
    for (const address of addresses.keys()) names.add(address);
  }
  const address = os.contractAddresses.alias;
  return [...names].map((key) => ({ kind: "storage", block, address, key }));
}

async function declaredClasses(
  transactions: readonly HashedTransaction[],
  { declared }: Pick<OriginalsDeps, "declared">,
): Promise<ReadonlyMap<Felt, EncodedClass>> {
  const classes = new Map<Felt, EncodedClass>();
  for (const { transaction } of transactions) {
    if (transaction.type !== "DECLARE") continue;
    const found = await declared(transaction.classHash);
    if (found !== undefined) classes.set(transaction.classHash, found);
  }
  return classes;
}

function declaredBy(
  { transaction }: HashedTransaction,
  classes: ReadonlyMap<Felt, EncodedClass>,
): EncodedClass | undefined {
  return transaction.type === "DECLARE" ? classes.get(transaction.classHash) : undefined;
}

function resultText({ status, actualFee, feeUnit }: Receipt): string {
  const unit = feeUnit === "WEI" ? "wei" : "fri";
  return `${status.kind}, fee ${actualFee} ${unit}`;
}

/** Reasons of reverts differ in their text between programs. */
function differenceOf(
  transactionHash: Felt,
  original: Receipt | undefined,
  outcome: TransactionOutcome,
): OriginalDifference | undefined {
  if (original === undefined) return undefined;
  const there = resultText(original);
  const isSame = outcome.kind === "included" && resultText(outcome.receipt) === there;
  if (isSame) return undefined;
  return { transactionHash, original: there, own: outcomeText(outcome) };
}

function outcomeText(outcome: TransactionOutcome): string {
  switch (outcome.kind) {
    case "included": {
      const { status } = outcome.receipt;
      const reason = status.kind === "reverted" ? `: ${status.reason}` : "";
      return `${resultText(outcome.receipt)}${reason}`;
    }
    case "rejected":
      return `not included: ${outcome.error.message}`;
    case "block_full":
      return "not included: the block is full";
    case "cancelled":
      return "not included: the node is stopping";
  }
}
