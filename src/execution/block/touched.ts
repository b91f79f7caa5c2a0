import type { StateDiff } from "#chain/index.ts";
import type { Felt } from "#primitives/index.ts";
import { modifiedContracts } from "#state/index.ts";
import { executedClasses, visitCalls } from "../fee/summary.ts";
import type { CallInfo, StateChangesCount, TransactionResources } from "../types.ts";

/** What a transaction has done, as far as capacity counts it. */
export interface WeighedTransaction {
  /** Validation and execution. */
  readonly calls: readonly CallInfo[];
  readonly feeTransfer: CallInfo | null;
  readonly resources: TransactionResources;
  readonly receiptL2Gas: bigint;
  readonly diff: StateDiff;
}

/** Cells, contracts and classes that a block has touched: touching them again weighs nothing. */
export class Touched {
  readonly #visited = new Map<Felt, Set<Felt>>();
  readonly #modified = new Map<Felt, Set<Felt>>();
  readonly #contracts = new Set<Felt>();
  readonly #classHashes = new Set<Felt>();
  readonly #compiledClassHashes = new Set<Felt>();
  readonly #executed = new Set<Felt>();

  /** Storage cells that a transaction reads or writes first. */
  newVisits(transaction: WeighedTransaction): number {
    const own = new Map<Felt, Set<Felt>>();
    let count = 0;
    forEachVisit(transaction, (address, key) => {
      if (this.#visited.get(address)?.has(key) !== true && addCell(own, address, key)) count++;
    });
    return count;
  }

  /** Classes that a transaction executes first. */
  newClasses(transaction: WeighedTransaction): Felt[] {
    const classes = executedClasses(withFeeTransfer(transaction));
    return [...classes].filter((classHash) => !this.#executed.has(classHash));
  }

  /** Changes to what the block had not changed before. */
  newChanges(diff: StateDiff): Omit<StateChangesCount, "allocatedKeys"> {
    let storageUpdates = 0;
    for (const [address, cells] of diff.storageDiffs) {
      const known = this.#modified.get(address);
      for (const key of cells.keys()) if (known?.has(key) !== true) storageUpdates++;
    }
    return {
      storageUpdates,
      modifiedContracts: countNew(modifiedContracts(diff), this.#contracts),
      classHashUpdates:
        countNew(diff.deployedContracts.keys(), this.#classHashes) +
        countNew(diff.replacedClasses.keys(), this.#classHashes),
      compiledClassHashUpdates:
        countNew(diff.declaredClasses.keys(), this.#compiledClassHashes) +
        countNew(diff.migratedCompiledClasses.keys(), this.#compiledClassHashes),
    };
  }

  /** Notes everything that a transaction has touched. */
  add(transaction: WeighedTransaction): void {
    forEachVisit(transaction, (address, key) => addCell(this.#visited, address, key));
    for (const classHash of executedClasses(withFeeTransfer(transaction))) {
      this.#executed.add(classHash);
    }
    const { diff } = transaction;
    for (const [address, cells] of diff.storageDiffs) {
      for (const key of cells.keys()) addCell(this.#modified, address, key);
    }
    for (const address of modifiedContracts(diff)) this.#contracts.add(address);
    for (const map of [diff.deployedContracts, diff.replacedClasses]) {
      for (const address of map.keys()) this.#classHashes.add(address);
    }
    for (const map of [diff.declaredClasses, diff.migratedCompiledClasses]) {
      for (const classHash of map.keys()) this.#compiledClassHashes.add(classHash);
    }
  }
}

function withFeeTransfer({ calls, feeTransfer }: WeighedTransaction): readonly CallInfo[] {
  return feeTransfer === null ? calls : [...calls, feeTransfer];
}

function forEachVisit(
  transaction: WeighedTransaction,
  visit: (address: Felt, key: Felt) => void,
): void {
  for (const root of withFeeTransfer(transaction)) {
    visitCalls(root, (call) => {
      for (const key of call.accessedStorageKeys) visit(call.contractAddress, key);
    });
  }
}

/** @returns false when the cell was there already */
function addCell(cells: Map<Felt, Set<Felt>>, address: Felt, key: Felt): boolean {
  let keys = cells.get(address);
  if (keys === undefined) cells.set(address, (keys = new Set()));
  if (keys.has(key)) return false;
  keys.add(key);
  return true;
}

function countNew(values: Iterable<Felt>, known: ReadonlySet<Felt>): number {
  let count = 0;
  for (const value of values) if (!known.has(value)) count++;
  return count;
}
