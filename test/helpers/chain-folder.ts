import fc from "fast-check";
import {
  type EncodedTransaction,
  encodedTransaction,
  type Receipt,
} from "#protocol/chain/index.ts";
import { StorageError } from "#base/errors/index.ts";
import {
  type BlockCommit,
  type ChainWriter,
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
  openDatabase,
  type StoredChainReader,
} from "#io/storage/index.ts";
import { bundles, encodedTransactions, receipts } from "#test/helpers/arbitraries.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

/** A chain database in a separate folder, with a writer and a reader. */
export interface ChainFolder extends Disposable {
  readonly folder: TemporaryFolder;
  readonly writing: DatabaseHandle;
  readonly reading: DatabaseHandle;
  readonly writer: ChainWriter;
  readonly reader: StoredChainReader;
}

/** Creates an empty {@link ChainFolder}. */
export async function openChainFolder(): Promise<ChainFolder> {
  const folder = temporaryFolder();
  const options = { path: folder.file("chain.db"), chainId: "SN_TEST" } as const;
  const writing = await openDatabase({ ...options, mode: "writer", durability: "normal" });
  const reading = await openDatabase({ ...options, mode: "reader", durability: "normal" });
  return {
    folder,
    writing,
    reading,
    writer: createChainWriter(writing),
    reader: createChainReader(reading),
    [Symbol.dispose]: () => {
      reading.close();
      writing.close();
      folder[Symbol.dispose]();
    },
  };
}

/** `count` transactions with distinct hashes, which depend on `offset`, and their receipts. */
export function bodyOf(
  count: number,
  offset = 0,
): { transactions: EncodedTransaction[]; receipts: Receipt[] } {
  const transactions = fc
    .sample(encodedTransactions, { numRuns: count, seed: 7 + offset })
    .map(({ transaction }, i) =>
      encodedTransaction({ hash: (1n << 240n) + BigInt(offset + i), transaction }),
    );
  const sampled = fc.sample(receipts, { numRuns: count, seed: 8 + offset });
  return {
    transactions,
    receipts: sampled.map((receipt, i) => ({
      ...receipt,
      transactionHash: transactions[i]?.hash ?? 0n,
    })),
  };
}

/** A block with content for every table. */
export function fullCommit(number: number): BlockCommit {
  const [bundle] = fc.sample(bundles, { numRuns: 1, seed: 50 + number });
  return blockCommit(number, {
    ...bodyOf(40, 1000 * number),
    ...(bundle && {
      stateDiff: bundle.block.stateDiff,
      classes: bundle.classes,
      inputs: bundle.inputs,
    }),
    trie: {
      added: [{ id: number + 1, bytes: Uint8Array.of(number), hash: null }],
      removed: [number],
      roots: [{ kind: "contracts", contractAddress: 0n, root: { id: number + 1, hash: 5n } }],
      lastNodeId: number + 1,
    },
  });
}

/**
 * Runs an action that may throw a storage error.
 *
 * @returns its code; empty if the action succeeds
 */
export function storageErrorOf(action: () => void): string {
  try {
    action();
  } catch (error) {
    if (error instanceof StorageError) return error.code;
    throw error;
  }
  return "";
}
