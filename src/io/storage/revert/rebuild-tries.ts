import { protocolRules } from "#protocol/versions/index.ts";
import { type BlockHeader, emptyStateDiff, type MutableStateDiff } from "#protocol/chain/index.ts";
import { applyStateDiff, PEDERSEN, type TrieStore } from "#protocol/trie/index.ts";
import { InvariantError, StorageError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { RevertProgress } from "../types.ts";
import type { WriterTables } from "../writer-tables.ts";
import type { StatePages } from "./state-pages.ts";

/**
 * Leaves per step: enough for hashing in batches, few enough to need only tens of MiB per step, however large
 * a contract is.
 */
const STEP_LEAVES = 16_384;

/**
 * Builds the tries of the newest block from its state, because it has no complete tries. Node ids start at
 * `firstNodeId`. Needs an open transaction.
 *
 * @returns the greatest id
 * @throws {StorageError} STORAGE_ROOT_MISMATCH when the root differs from that in the header
 */
export function rebuildTries(
  tables: Pick<WriterTables, "stateTables" | "tries" | "trieWriter">,
  pages: StatePages,
  header: BlockHeader,
  firstNodeId: number,
  onProgress: (progress: RevertProgress) => void,
): number {
  tables.trieWriter.clear();
  tables.tries.forget();
  const steps = new RebuildSteps(tables, header, firstNodeId);
  const total = pages.countContracts();
  let done = 0;
  for (const { address, id } of pages.contracts()) {
    steps.contract(address);
    for (const [key, value] of pages.slots(id)) {
      if (value === 0n) continue;
      steps.slot(address, key, value);
      if (steps.isFull) onProgress({ phase: "tries", done, total });
      steps.flushIfFull();
    }
    done++;
    if (steps.isFull) onProgress({ phase: "tries", done, total });
    steps.flushIfFull();
  }
  for (const [classHash, compiled] of pages.classes()) {
    steps.declare(classHash, compiled);
    steps.flushIfFull();
  }
  steps.flush();
  onProgress({ phase: "tries", done, total });
  requireRoot(steps.root, header);
  return steps.lastNodeId;
}

function requireRoot(found: bigint, { number, newRoot }: BlockHeader): void {
  if (found === newRoot) return;
  throw new StorageError(
    "STORAGE_ROOT_MISMATCH",
    `The state of block ${number} has the root ${hexFromFelt(found)}, but the block's header states ${hexFromFelt(newRoot)}.`,
    { meta: { number } },
  );
}

/** Adds leaves to tries like blocks do, without keeping intermediate versions. */
class RebuildSteps {
  readonly #tables: Pick<WriterTables, "stateTables" | "tries" | "trieWriter">;
  readonly #header: BlockHeader;
  readonly #store: TrieStore;
  #diff: MutableStateDiff = emptyStateDiff();
  #leaves = 0;
  #root: bigint | undefined;
  #lastNodeId: number;

  constructor(
    tables: Pick<WriterTables, "stateTables" | "tries" | "trieWriter">,
    header: BlockHeader,
    firstNodeId: number,
  ) {
    this.#tables = tables;
    this.#header = header;
    this.#lastNodeId = firstNodeId - 1;
    this.#store = {
      hashes: tables.tries.hashes,
      node: (id) => tables.tries.node(id),
      root: (name) => tables.tries.root(name, header.number),
      nextNodeId: () => this.#lastNodeId + 1,
    };
  }

  get isFull(): boolean {
    return this.#leaves >= STEP_LEAVES;
  }

  get lastNodeId(): number {
    return this.#lastNodeId;
  }

  /** State root; only valid right after {@link flush}. */
  get root(): bigint {
    if (this.#root === undefined) throw new InvariantError("no tries were built");
    return this.#root;
  }

  /** Every contract has a leaf in the contracts trie, even if all its values are zero. */
  contract(address: bigint): void {
    const { stateTables } = this.#tables;
    this.#diff.nonces.set(address, stateTables.at(this.#header.number).nonceAt(address));
    this.#leaves++;
  }

  slot(address: bigint, key: bigint, value: bigint): void {
    const { storageDiffs } = this.#diff;
    const slots = storageDiffs.get(address) ?? new Map<bigint, bigint>();
    storageDiffs.set(address, slots.set(key, value));
    this.#leaves++;
  }

  declare(classHash: bigint, compiledClassHash: bigint): void {
    this.#diff.declaredClasses.set(classHash, compiledClassHash);
    this.#leaves++;
  }

  flushIfFull(): void {
    if (this.isFull) this.flush();
  }

  flush(): void {
    const { number, protocolVersion } = this.#header;
    const { stateRoot, changes } = applyStateDiff({
      diff: this.#diff,
      store: this.#store,
      pedersen: PEDERSEN,
      contracts: this.#tables.stateTables.at(number),
      alwaysHashClasses: protocolRules(protocolVersion).alwaysHashClasses,
    });
    this.#tables.trieWriter.amend(changes, number);
    this.#tables.trieWriter.remember(changes);
    this.#root = stateRoot;
    this.#lastNodeId = changes.lastNodeId;
    this.#diff = emptyStateDiff();
    this.#leaves = 0;
  }
}
