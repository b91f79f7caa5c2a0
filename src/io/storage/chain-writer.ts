import { decodeStateDiff } from "#protocol/chain/index.ts";
import { AppError, InvariantError, StorageError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { TrieName, TrieStore } from "#protocol/trie/index.ts";
import { BlockReader } from "./block/reader.ts";
import { BlockWriter } from "./block/writer.ts";
import { chainStatements } from "./chain-statements.ts";
import { ClassReader } from "./class/reader.ts";
import { ClassWriter } from "./class/writer.ts";
import type { DatabaseHandle } from "./database.ts";
import { L1MessageWriter } from "./l1-message/writer.ts";
import { META, MetaTables, nodeKey } from "./meta.ts";
import { StateTables } from "./state/reader.ts";
import { StateWriter } from "./state/writer.ts";
import { TransactionReader } from "./transactions/reader.ts";
import { TransactionWriter } from "./transactions/writer.ts";
import { TrieTables } from "./trie/reader.ts";
import { TrieWriter } from "./trie/writer.ts";
import type { BlockCommit, ChainWriter } from "./types.ts";

/** Trie rows of about 150 bytes in memory each: some tens of MiB. */
const CACHED_TRIE_NODES = 131_072;

/**
 * The writer of a chain database.
 *
 * @throws {StorageError} STORAGE_READ_ONLY when the handle is a reader's
 */
export function createChainWriter(handle: DatabaseHandle): ChainWriter {
  if (handle.options.mode !== "writer") {
    throw new StorageError("STORAGE_READ_ONLY", "A reader's handle cannot write.");
  }
  return new SqliteChainWriter(handle);
}

class SqliteChainWriter implements ChainWriter {
  readonly trieStore: TrieStore;
  readonly #handle: DatabaseHandle;
  readonly #blockReader: BlockReader;
  readonly #blocks: BlockWriter;
  readonly #transactionReader: TransactionReader;
  readonly #transactions: TransactionWriter;
  readonly #classes: ClassWriter;
  readonly #stateTables: StateTables;
  readonly #state: StateWriter;
  readonly #tries: TrieTables;
  readonly #trieWriter: TrieWriter;
  readonly #messages: L1MessageWriter;
  readonly #meta: MetaTables;

  constructor(handle: DatabaseHandle) {
    const statements = chainStatements(handle);
    this.#handle = handle;
    this.#meta = new MetaTables(statements);
    this.#blockReader = new BlockReader(statements);
    this.#blocks = new BlockWriter(statements);
    this.#transactionReader = new TransactionReader(statements);
    this.#transactions = new TransactionWriter(statements);
    this.#classes = new ClassWriter(statements);
    this.#stateTables = new StateTables(statements, new ClassReader(statements, 0));
    this.#state = new StateWriter(statements, this.#stateTables, this.#meta);
    this.#tries = new TrieTables(
      statements,
      (address) => this.#stateTables.contractId(address),
      CACHED_TRIE_NODES,
    );
    this.#trieWriter = new TrieWriter(statements, this.#tries, (address) =>
      this.#state.contractId(address),
    );
    this.#messages = new L1MessageWriter(statements);
    this.trieStore = {
      node: (id) => this.#tries.node(id),
      root: (name: TrieName) => this.#tries.root(name, Number.MAX_SAFE_INTEGER),
      nextNodeId: () => this.#lastNodeId(Number.MAX_SAFE_INTEGER) + 1,
    };
  }

  commitBlock(commit: BlockCommit): void {
    const { block, trie } = commit;
    const { number } = block.header;
    if (block.transactions.length !== block.receipts.length) {
      throw new InvariantError("a block has not one receipt per transaction");
    }
    this.#atomically(`store block ${number}`, () => {
      this.#checkParent(commit);
      this.#blocks.insert(commit);
      this.#transactions.insert(block, number);
      this.#state.apply(block.stateDiff, number);
      for (const declared of commit.classes) this.#classes.insert(declared, number);
      this.#messages.insert(commit.inputs, number);
      this.#trieWriter.apply(trie, number);
    });
    this.#trieWriter.remember(trie);
  }

  unwindTo(blockNumber: number): void {
    this.#atomically(`unwind to block ${blockNumber}`, () => {
      const oldest = this.#meta.number(META.oldestTrieBlock) ?? 0;
      const latest = this.#blockReader.latestNumber() ?? -1;
      if (blockNumber >= latest) return;
      if (blockNumber < oldest && oldest > 0) {
        throw new StorageError(
          "STORAGE_PRUNED",
          `The chain cannot be unwound to block ${blockNumber}: tries are kept from block ${oldest} on.`,
          { meta: { blockNumber, oldest } },
        );
      }
      const contracts = new Set<Felt>();
      for (let number = latest; number > blockNumber; number--) {
        const bytes = this.#blockReader.stateDiffBytes(number);
        if (bytes === undefined) throw new InvariantError(`block ${number} has no state diff`);
        const diff = decodeStateDiff(bytes);
        for (const address of diff.storageDiffs.keys()) contracts.add(address);
        this.#state.revert(diff, blockNumber);
        this.#transactions.deleteFrom(number, this.#transactionReader.transactions(number));
      }
      this.#trieWriter.revert(blockNumber, this.#lastNodeId(blockNumber), contracts);
      this.#classes.deleteAbove(blockNumber);
      this.#messages.deleteAbove(blockNumber);
      this.#blocks.deleteAbove(blockNumber);
      this.#lowerL1Accepted(blockNumber);
    });
    this.#tries.forget();
  }

  setL1Accepted(blockNumber: number): void {
    this.#atomically("record L1 acceptance", () => {
      const known = this.#meta.number(META.l1Accepted) ?? -1;
      if (blockNumber > known) this.#meta.setNumber(META.l1Accepted, blockNumber);
    });
  }

  putValue(key: string, value: Uint8Array | undefined): void {
    this.#atomically("store a value", () => {
      if (value === undefined) this.#meta.remove(nodeKey(key));
      else this.#meta.setBytes(nodeKey(key), value);
    });
  }

  pruneTries(blockNumber: number): number {
    const count = this.#atomically("prune tries", () => {
      const latest = this.#blockReader.latestNumber() ?? 0;
      const oldest = Math.min(blockNumber, latest);
      if (oldest <= (this.#meta.number(META.oldestTrieBlock) ?? 0)) return 0;
      this.#meta.setNumber(META.oldestTrieBlock, oldest);
      return this.#trieWriter.prune(oldest);
    });
    this.#tries.forget();
    return count;
  }

  #checkParent({ block: { header } }: BlockCommit): void {
    const tip = this.#blockReader.tip(Number.MAX_SAFE_INTEGER);
    const expected = tip === undefined ? 0 : tip.number + 1;
    if (header.number === expected && (tip === undefined || tip.hash === header.parentHash)) return;
    throw new StorageError(
      "STORAGE_WRONG_PARENT",
      `Block ${header.number} with parent ${hexFromFelt(header.parentHash)} does not follow the newest block (${tip === undefined ? "none" : `${tip.number}, ${hexFromFelt(tip.hash)}`}).`,
      { meta: { number: header.number, newest: tip?.number ?? null } },
    );
  }

  #lastNodeId(blockNumber: number): number {
    return this.#blockReader.tip(blockNumber)?.lastNodeId ?? 0;
  }

  #lowerL1Accepted(blockNumber: number): void {
    const known = this.#meta.number(META.l1Accepted);
    if (known === undefined || known <= blockNumber) return;
    if (blockNumber < 0) this.#meta.remove(META.l1Accepted);
    else this.#meta.setNumber(META.l1Accepted, blockNumber);
  }

  /** Runs `work` in one transaction; nothing of it stays when it throws. */
  #atomically<T>(what: string, work: () => T): T {
    try {
      return this.#handle.connection.transaction(work).immediate();
    } catch (cause) {
      // Ids and nodes of the rolled back transaction may have got into the caches.
      this.#stateTables.forgetContractIds();
      this.#tries.forget();
      if (cause instanceof AppError) throw cause;
      throw new StorageError("STORAGE_FAILED", `The database could not ${what}.`, { cause });
    }
  }
}
