import type { CasmHashFunction } from "#protocol/chain/index.ts";
import type { VmResources } from "#protocol/versions/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import { blakeHashOf } from "../blake-hash.ts";
import { messageStarknetGas } from "../fee/messages.ts";
import { daWords } from "../fee/state-changes.ts";
import {
  addBuiltins,
  addResources,
  emptyResources,
  type PrimitiveName,
  sumResources,
  totalSteps,
} from "../resources.ts";
import { classHashCost, type HashCost } from "./casm-hash-cost.ts";
import type { BlockContext } from "./context.ts";
import {
  type PrimitiveCosts,
  primitiveGas,
  provingCosts,
  resourceGas,
  sierraCosts,
} from "./primitive-gas.ts";
import type { NewlyTouched, WeighedTransaction } from "./touched.ts";
import type { BouncerWeights } from "./weights.ts";

/** Height to which the operating system is taken to walk in a trie for one cell. */
const TREE_HEIGHT = 24;
const STEPS_PER_LEVEL = 16;

const NO_HASH_COST: HashCost = { steps: 0, memoryHoles: 0, builtins: {}, blake: 0 };

/** A transaction's weights with what only the end of a block needs. */
export interface Weighing {
  readonly weights: BouncerWeights;
  readonly casmHashSierraGas: ReadonlyMap<Felt, bigint>;
  readonly casmHashProvingGas: ReadonlyMap<Felt, bigint>;
  readonly sierraGasWithoutCasmHash: bigint;
  readonly provingGasWithoutCasmHash: bigint;
  /** Class hash to (new, old) compiled class hash. */
  readonly migrations: ReadonlyMap<Felt, readonly [Felt, Felt]>;
}

/** Weighs transactions by the prices and the capacity of a block. */
export class Scale {
  readonly #block: BlockContext;
  readonly #sierraCosts: PrimitiveCosts;
  readonly #provingCosts: PrimitiveCosts;

  constructor(block: BlockContext) {
    this.#block = block;
    this.#sierraCosts = sierraCosts(block.constants);
    this.#provingCosts = provingCosts(block.bouncer);
  }

  /** The weights of a transaction of which `touched` is new to its block. */
  weigh(state: CachedState, transaction: WeighedTransaction, touched: NewlyTouched): Weighing {
    const { resources, footprint } = transaction;
    const { classes: newClasses, changes } = touched;
    const migrations = this.#migrationsOf(state, newClasses);
    const stateDiffSize = daWords({
      ...changes,
      compiledClassHashUpdates: changes.compiledClassHashUpdates + migrations.size,
    });
    const patricia = patriciaResources(touched.visits + changes.storageUpdates);
    const vm = sumResources(resources.transaction, resources.os);
    addResources(vm, patricia);
    const vmGas = this.#gasOf(vm, this.#sierraCosts) + resources.sierraGas;

    const primitives: Partial<Record<PrimitiveName, number>> = { ...patricia.builtins };
    addBuiltins(primitives, resources.os.builtins);
    addBuiltins(primitives, footprint.primitives);
    const primitivesGas = primitiveGas(primitives, this.#sierraCosts);
    const stepsGas = vmGas > primitivesGas ? vmGas - primitivesGas : 0n;
    const provingGas = stepsGas + primitiveGas(primitives, this.#provingCosts);

    let migrationSierraGas = 0n;
    let migrationProvingGas = 0n;
    for (const classHash of migrations.keys()) {
      for (const hash of ["blake", "poseidon"] as const) {
        const cost = hashCost(state, classHash, hash);
        migrationSierraGas += this.#gasOf(cost, this.#sierraCosts);
        migrationProvingGas += this.#gasOf(cost, this.#provingCosts);
      }
    }
    const casmHashSierraGas = new Map<Felt, bigint>();
    const casmHashProvingGas = new Map<Felt, bigint>();
    let hashSteps = 0;
    for (const classHash of newClasses) {
      const cost = hashCost(state, classHash, "blake");
      casmHashSierraGas.set(classHash, this.#gasOf(cost, this.#sierraCosts));
      casmHashProvingGas.set(classHash, this.#gasOf(cost, this.#provingCosts));
      hashSteps += totalSteps(cost);
    }
    const sierraGasWithoutCasmHash = vmGas + migrationSierraGas;
    const provingGasWithoutCasmHash = provingGas + migrationProvingGas;
    return {
      weights: {
        l1Gas: messageStarknetGas(resources),
        messageSegmentLength: BigInt(resources.messageSegmentLength),
        eventCount: BigInt(resources.eventCount),
        transactionCount: 1n,
        stateDiffSize: BigInt(stateDiffSize),
        sierraGas: sierraGasWithoutCasmHash + sum(casmHashSierraGas.values()),
        provingGas: provingGasWithoutCasmHash + sum(casmHashProvingGas.values()),
        receiptL2Gas: transaction.receiptL2Gas,
        steps: BigInt(totalSteps(vm) + hashSteps),
      },
      casmHashSierraGas,
      casmHashProvingGas,
      sierraGasWithoutCasmHash,
      provingGasWithoutCasmHash,
      migrations,
    };
  }

  /** Executed classes whose compiled class hash in the state is not the newest form. */
  #migrationsOf(
    state: CachedState,
    classHashes: readonly Felt[],
  ): Map<Felt, readonly [Felt, Felt]> {
    const migrations = new Map<Felt, readonly [Felt, Felt]>();
    if (!this.#block.constants.flags.enableCasmHashMigration) return migrations;
    for (const classHash of classHashes) {
      const old = state.compiledClassHashOf(classHash);
      const executable = state.executableClass(classHash);
      if (old === 0n || executable === undefined || executable.casm === null) continue;
      const blake = blakeHashOf(executable.casm);
      if (blake !== old) migrations.set(classHash, [blake, old]);
    }
    return migrations;
  }

  #gasOf(resources: VmResources, costs: PrimitiveCosts): bigint {
    return resourceGas(this.#block.constants, resources, costs);
  }
}

function hashCost(state: CachedState, classHash: Felt, hash: CasmHashFunction): HashCost {
  const executable = state.executableClass(classHash);
  return executable === undefined ? NO_HASH_COST : classHashCost(executable, hash);
}

/** One walk through the old tree per touched cell, and one through the new tree per changed one. */
function patriciaResources(walks: number): VmResources {
  const resources = emptyResources();
  addResources(
    resources,
    {
      steps: TREE_HEIGHT * STEPS_PER_LEVEL,
      memoryHoles: 0,
      builtins: { pedersen: TREE_HEIGHT },
    },
    walks,
  );
  return resources;
}

function sum(values: Iterable<bigint>): bigint {
  let total = 0n;
  for (const value of values) total += value;
  return total;
}
