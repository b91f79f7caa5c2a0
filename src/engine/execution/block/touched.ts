import type { StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { modifiedContracts, storageUpdateCount } from "#engine/state/index.ts";
import type { CallInfo } from "../call/info.ts";
import type { StateChangesCount } from "../fee/state-changes.ts";
import type { TransactionResources } from "../fee/transaction-resources.ts";
import { addBuiltins, type PrimitiveName } from "../resources.ts";

/** Results of a transaction that count towards block capacity. */
export interface WeighedTransaction {
  readonly footprint: Footprint;
  readonly resources: TransactionResources;
  readonly receiptL2Gas: bigint;
}

/** Accesses of a transaction, collected in one walk over its calls. */
export interface Footprint {
  readonly diff: StateDiff;
  /** Contracts that the diff changes. */
  readonly contracts: ReadonlySet<Felt>;
  /** Storage cells that were read or written, by contract. */
  readonly cells: ReadonlyMap<Felt, ReadonlySet<Felt>>;
  readonly classes: ReadonlySet<Felt>;
  /** Builtins and Blake2s instructions of validation and execution, regardless of metering. */
  readonly primitives: CallInfo["primitiveCounters"];
}

/** Accesses of a transaction that are new to a block; for an empty block, all of them. */
export interface NewlyTouched {
  /** Number of storage cells accessed for the first time in the block. */
  readonly visits: number;
  /** Changes of values that the block had not changed before. */
  readonly changes: Omit<StateChangesCount, "allocatedKeys">;
  /** Classes executed for the first time in the block. */
  readonly classes: readonly Felt[];
}

/**
 * Collects the footprint of a transaction.
 *
 * @param calls - validation and execution
 */
export function footprintOf(
  calls: readonly CallInfo[],
  feeTransfer: CallInfo | null,
  diff: StateDiff,
): Footprint {
  const walk = new Walk();
  for (const call of calls) walk.add(call, true);
  if (feeTransfer !== null) walk.add(feeTransfer, false);
  const { cells, classes, primitives } = walk;
  return { diff, contracts: modifiedContracts(diff), cells, classes, primitives };
}

class Walk {
  readonly cells = new Map<Felt, Set<Felt>>();
  readonly classes = new Set<Felt>();
  readonly primitives: Partial<Record<PrimitiveName, number>> = {};

  add(call: CallInfo, countPrimitives: boolean): void {
    const { accessedStorageKeys, contractAddress } = call;
    this.classes.add(call.classHash);
    if (accessedStorageKeys.size > 0) addCells(this.cells, contractAddress, accessedStorageKeys);
    if (countPrimitives) addBuiltins(this.primitives, call.primitiveCounters);
    for (const inner of call.innerCalls) this.add(inner, countPrimitives);
  }
}

/** All accesses of a transaction: those that are new to an empty block. */
export function touchedAlone({ cells, diff, contracts, classes }: Footprint): NewlyTouched {
  let visits = 0;
  for (const keys of cells.values()) visits += keys.size;
  return {
    visits,
    changes: {
      storageUpdates: storageUpdateCount(diff),
      modifiedContracts: contracts.size,
      classHashUpdates: diff.deployedContracts.size + diff.replacedClasses.size,
      compiledClassHashUpdates: diff.declaredClasses.size + diff.migratedCompiledClasses.size,
    },
    classes: [...classes],
  };
}

/** Cells, contracts and classes that a block has touched; touching them again adds no weight. */
export class Touched {
  readonly #visited = new Map<Felt, Set<Felt>>();
  readonly #modified = new Map<Felt, Set<Felt>>();
  readonly #contracts = new Set<Felt>();
  readonly #classHashes = new Set<Felt>();
  readonly #compiledClassHashes = new Set<Felt>();
  readonly #executed = new Set<Felt>();

  /** Accesses of a footprint that are new to the block. */
  newIn({ cells, diff, contracts, classes }: Footprint): NewlyTouched {
    let visits = 0;
    for (const [address, keys] of cells) visits += countNew(keys, this.#visited.get(address));
    let storageUpdates = 0;
    for (const [address, values] of diff.storageDiffs) {
      storageUpdates += countNew(values, this.#modified.get(address));
    }
    return {
      visits,
      changes: {
        storageUpdates,
        modifiedContracts: countNew(contracts, this.#contracts),
        classHashUpdates:
          countNew(diff.deployedContracts, this.#classHashes) +
          countNew(diff.replacedClasses, this.#classHashes),
        compiledClassHashUpdates:
          countNew(diff.declaredClasses, this.#compiledClassHashes) +
          countNew(diff.migratedCompiledClasses, this.#compiledClassHashes),
      },
      classes: [...classes].filter((classHash) => !this.#executed.has(classHash)),
    };
  }

  add({ cells, diff, contracts, classes }: Footprint): void {
    for (const [address, keys] of cells) addCells(this.#visited, address, keys);
    for (const [address, values] of diff.storageDiffs) {
      addCells(this.#modified, address, values);
    }
    addAll(this.#contracts, contracts);
    addAll(this.#executed, classes);
    addAll(this.#classHashes, diff.deployedContracts);
    addAll(this.#classHashes, diff.replacedClasses);
    addAll(this.#compiledClassHashes, diff.declaredClasses);
    addAll(this.#compiledClassHashes, diff.migratedCompiledClasses);
  }
}

/** Map or set, reduced to its keys. */
interface Keyed {
  readonly size: number;
  keys(): Iterable<Felt>;
}

function addCells(cells: Map<Felt, Set<Felt>>, address: Felt, keys: Keyed): void {
  const known = cells.get(address);
  if (known === undefined) cells.set(address, new Set(keys.keys()));
  else addAll(known, keys);
}

function addAll(target: Set<Felt>, values: Keyed): void {
  if (values.size === 0) return;
  for (const value of values.keys()) target.add(value);
}

function countNew(values: Keyed, known: ReadonlySet<Felt> | undefined): number {
  if (known === undefined || values.size === 0) return values.size;
  let count = 0;
  for (const value of values.keys()) if (!known.has(value)) count++;
  return count;
}
