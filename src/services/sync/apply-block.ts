import { type Felt, hexFromFelt, type Timer } from "#base/primitives/index.ts";
import {
  bundledClassOf,
  type BlockHeader,
  decodeBundle,
  type EncodedClass,
  type SealedBlock,
} from "#protocol/chain/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import { applyStateDiff, PEDERSEN, type TrieChanges } from "#protocol/trie/index.ts";
import type { ChainWriter, StoredChainReader } from "#io/storage/index.ts";
import { type AcceptedMessage, revertedTransactionsOf } from "#services/sequencer/index.ts";
import { requireLists } from "./check-lists.ts";
import { hashOfCode } from "./compiled-code.ts";
import type { SyncStage } from "./messages.ts";
import type { PreparedBlock } from "./pipeline.ts";
import type { CheckedBlock, ExecutionVerifier } from "./ports.ts";
import { BlockRefused, refuse } from "./refusal.ts";

/** Dependencies of a {@link BlockApplier}. */
export interface BlockApplierDeps {
  readonly chain: Pick<
    StoredChainReader,
    "casm" | "declaredClass" | "epoch" | "header" | "latestNumber" | "stateAt"
  >;
  readonly writer: Pick<ChainWriter, "commitBlock" | "trieStore">;
  readonly execution: ExecutionVerifier;
  readonly timer: Pick<Timer, "nowMs">;
  readonly onStage: (stage: SyncStage) => void;
}

/** Result of applying a block. */
export type Applied =
  | { readonly kind: "stored"; readonly accepted: AcceptedMessage }
  /** The block's parent is not the newest block. Nothing was changed. */
  | { readonly kind: "otherParent" }
  /** The block's epoch is below that of the newest block. Nothing was changed. */
  | { readonly kind: "lowerEpoch" };

/** Adds checked blocks to the chain, one after the other, and performs the checks that need the state. */
export class BlockApplier {
  readonly #deps: BlockApplierDeps;
  #newest: BlockHeader | undefined;
  /** Epoch of the newest block. */
  #epoch = 0;

  constructor(deps: BlockApplierDeps) {
    this.#deps = deps;
    const latest = deps.chain.latestNumber();
    if (latest === undefined) return;
    this.#newest = deps.chain.header(latest);
    this.#epoch = deps.chain.epoch(latest) ?? 0;
  }

  /** Newest stored block; `undefined` if none. */
  get newest(): BlockHeader | undefined {
    return this.#newest;
  }

  /**
   * Stores a block, in one transaction with everything that belongs to it.
   *
   * @throws {BlockRefused} when it does not follow from the chain; nothing is stored then
   * @throws {StorageError} when the database fails; nothing is stored then
   */
  async apply({ block: checked, classes }: PreparedBlock): Promise<Applied> {
    const { chain, writer, timer, onStage } = this.#deps;
    const beganMs = timer.nowMs();
    const { number } = checked;
    const parent = this.#newest;
    if (number !== (parent?.number ?? -1) + 1) {
      refuse("block_number", number, `number: block ${number} after ${parent?.number ?? "none"}`);
    }
    if (checked.parentHash !== (parent?.hash ?? 0n)) return { kind: "otherParent" };
    requireTime(checked, parent);
    // Epochs never fall along the chain: this keeps a deposed sequencer from extending it.
    const epoch = checked.epoch ?? this.#epoch;
    if (epoch < this.#epoch) return { kind: "lowerEpoch" };
    const bundle = decodeBundle(checked.bundle);
    const { block } = bundle;
    const fresh = freshClasses(classes, (hash) => chain.declaredClass(hash) !== undefined);
    this.#requireMigrations(block, fresh);
    const stateBefore = chain.stateAt(number - 1);
    requireLists(block, stateBefore);
    const trie = this.#requireRoot(block, stateBefore);
    const executedMs = await this.#execute({ block, classes: fresh, stateBefore });
    const { inputs } = bundle;
    writer.commitBlock({ block, epoch, inputs, trie, classes: fresh.map(bundledClassOf) });
    this.#newest = block.header;
    this.#epoch = epoch;
    const seconds = (timer.nowMs() - beganMs - executedMs) / 1000;
    onStage({ kind: "stage", stage: "apply", seconds });
    return { kind: "stored", accepted: acceptedOf(block, seconds) };
  }

  #requireRoot(
    { header, stateDiff }: SealedBlock,
    stateBefore: ReturnType<StoredChainReader["stateAt"]>,
  ): TrieChanges {
    const { stateRoot, changes } = applyStateDiff({
      diff: stateDiff,
      store: this.#deps.writer.trieStore,
      pedersen: PEDERSEN,
      contracts: stateBefore,
      alwaysHashClasses: protocolRules(header.protocolVersion).alwaysHashClasses,
    });
    if (stateRoot !== header.newRoot) {
      const found = `computed ${hexFromFelt(stateRoot)}, the header has ${hexFromFelt(header.newRoot)}`;
      refuse("state_root", header.number, `state_root: ${found}`);
    }
    return changes;
  }

  /**
   * Verifies migrations. A migration changes only the hash function: both hashes must be of the same code.
   */
  #requireMigrations({ header, stateDiff }: SealedBlock, fresh: readonly EncodedClass[]): void {
    for (const [classHash, migrated] of stateDiff.migratedCompiledClasses) {
      const declared = fresh.find((each) => each.classHash === classHash);
      const casmJson = declared?.casmJson ?? this.#deps.chain.casm(classHash)?.casmJson;
      const field = `migrated_compiled_classes of ${hexFromFelt(classHash)}`;
      if (casmJson === undefined) {
        refuse("compiled_class_hash", header.number, `${field}: there is no such Sierra class`);
      }
      const hash = hashOfCode(casmJson, "blake");
      if (hash === migrated) continue;
      const found = hash === undefined ? "it cannot be read" : hexFromFelt(hash);
      const message = `${field}: our code has ${found}, the block says ${hexFromFelt(migrated)}`;
      refuse("compiled_class_hash", header.number, message);
    }
  }

  /** @returns the milliseconds that the execution took */
  async #execute(request: Parameters<ExecutionVerifier>[0]): Promise<number> {
    const { execution, timer, onStage } = this.#deps;
    const beganMs = timer.nowMs();
    const refusal = await execution(request);
    if (refusal !== undefined) throw new BlockRefused(refusal);
    const tookMs = timer.nowMs() - beganMs;
    onStage({ kind: "stage", stage: "execute", seconds: tookMs / 1000 });
    return tookMs;
  }
}

function requireTime({ number, timestamp }: CheckedBlock, parent: BlockHeader | undefined): void {
  if (parent === undefined || timestamp >= parent.timestamp) return;
  const message = `timestamp: ${timestamp}, before ${parent.timestamp} of the block before`;
  refuse("timestamp", number, message);
}

/** Returns the classes that are not stored, by ascending hash, without duplicates. */
function freshClasses(
  classes: readonly EncodedClass[],
  isStored: (classHash: Felt) => boolean,
): EncodedClass[] {
  const byHash = new Map(classes.map((each) => [each.classHash, each]));
  return [...byHash.values()]
    .filter(({ classHash }) => !isStored(classHash))
    .sort((a, b) => (a.classHash < b.classHash ? -1 : 1));
}

function acceptedOf(
  { header, transactions, receipts }: SealedBlock,
  commitSeconds: number,
): AcceptedMessage {
  return {
    kind: "accepted",
    blockNumber: header.number,
    blockHash: header.hash,
    transactionCount: transactions.length,
    eventCount: header.eventCount,
    revertedTransactions: revertedTransactionsOf(transactions, receipts),
    // Unknown: another node produced the block.
    productionSeconds: 0,
    commitSeconds,
  };
}
