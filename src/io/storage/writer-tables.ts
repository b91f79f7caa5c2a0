import { decodeStateDiff, type StateDiff } from "#protocol/chain/index.ts";
import { InvariantError } from "#base/errors/index.ts";
import { BlockReader } from "./block/reader.ts";
import { BlockWriter } from "./block/writer.ts";
import { ClassReader } from "./class/reader.ts";
import { ClassWriter } from "./class/writer.ts";
import type { DatabaseHandle } from "./database.ts";
import { L1MessageWriter } from "./l1-message/writer.ts";
import { META, MetaTables } from "./meta.ts";
import { StateTables } from "./state/reader.ts";
import { StateWriter } from "./state/writer.ts";
import { TransactionReader } from "./transactions/reader.ts";
import { TransactionWriter } from "./transactions/writer.ts";
import { TrieTables } from "./trie/reader.ts";
import { TrieWriter } from "./trie/writer.ts";

/** Statements of all tables for a writer, on one connection. */
export interface WriterTables {
  readonly meta: MetaTables;
  readonly blockReader: BlockReader;
  readonly blocks: BlockWriter;
  readonly transactionReader: TransactionReader;
  readonly transactions: TransactionWriter;
  readonly classes: ClassWriter;
  readonly stateTables: StateTables;
  readonly state: StateWriter;
  readonly tries: TrieTables;
  readonly trieWriter: TrieWriter;
  readonly messages: L1MessageWriter;
  readonly stateDiff: (blockNumber: number) => StateDiff;
}

/**
 * Creates the statements of all tables.
 *
 * @param trieCacheBytes - maximum size of cached trie nodes in bytes
 */
export function createWriterTables(handle: DatabaseHandle, trieCacheBytes: number): WriterTables {
  const { statements } = handle;
  const meta = new MetaTables(statements);
  const blockReader = new BlockReader(statements);
  const classReader = new ClassReader(statements, 0);
  const stateTables = new StateTables(
    statements,
    classReader,
    () => meta.number(META.oldestStateBlock) ?? 0,
  );
  const state = new StateWriter(statements, stateTables, meta);
  const tries = new TrieTables(statements, {
    contractId: (address) => stateTables.contractId(address),
    oldestBlock: () => meta.number(META.oldestTrieBlock) ?? 0,
    cacheBytes: trieCacheBytes,
  });
  return {
    meta,
    blockReader,
    blocks: new BlockWriter(statements),
    transactionReader: new TransactionReader(statements),
    transactions: new TransactionWriter(statements),
    classes: new ClassWriter(statements),
    stateTables,
    state,
    tries,
    trieWriter: new TrieWriter(statements, tries, (address) => state.contractId(address)),
    messages: new L1MessageWriter(statements),
    stateDiff(blockNumber) {
      const bytes = blockReader.stateDiffBytes(blockNumber);
      if (bytes === undefined) throw new InvariantError(`block ${blockNumber} has no state diff`);
      return decodeStateDiff(bytes);
    },
  };
}
