import type { CasmHashFunction } from "#protocol/chain/index.ts";
import type { VmResources } from "#protocol/versions/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import { blakeHashOf } from "../blake-hash.ts";
import { messageStarknetGas } from "../fee/messages.ts";
import { daWords } from "../fee/state-changes.ts";
import { totalSteps } from "../resources.ts";
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

/** Trie height that the operating system is assumed to walk for one cell. */
const TREE_HEIGHT = 24;
const STEPS_PER_LEVEL = 16;

/** Resources of one trie walk. */
const WALK: VmResources = {
  steps: TREE_HEIGHT * STEPS_PER_LEVEL,
  memoryHoles: 0,
  builtins: { pedersen: TREE_HEIGHT },
};

const NO_HASH_COST: HashCost = { steps: 0, memoryHoles: 0, builtins: {}, blake: 0 };

/** Weights of a transaction plus the sums needed at the end of a block. */
export interface Weighing {
  readonly weights: BouncerWeights;
  readonly casmHashSierraGas: ReadonlyMap<Felt, bigint>;
  readonly casmHashProvingGas: ReadonlyMap<Felt, bigint>;
  readonly sierraGasWithoutCasmHash: bigint;
  readonly provingGasWithoutCasmHash: bigint;
  /** Class hash to (new, old) compiled class hash. */
  readonly migrations: ReadonlyMap<Felt, readonly [Felt, Felt]>;
}

/** Transaction with all weights that do not depend on which of its accesses are new to the block. */
export interface MeasuredTransaction extends WeighedTransaction {
  readonly steps: number;
  /** Sierra gas of machine resources and compiled code. */
  readonly vmGas: bigint;
  /** Sierra gas of the used primitives, regardless of how the calls were metered. */
  readonly primitivesGas: bigint;
  /** Proving gas of the used primitives. */
  readonly primitivesProvingGas: bigint;
}

/** Weighs transactions by the prices and capacity of a block. */
export class Scale {
  readonly #block: BlockContext;
  readonly #sierraCosts: PrimitiveCosts;
  readonly #provingCosts: PrimitiveCosts;
  /** Costs of one trie walk. */
  readonly #walkGas: bigint;
  readonly #walkPrimitivesGas: bigint;
  readonly #walkPrimitivesProvingGas: bigint;

  constructor(block: BlockContext) {
    this.#block = block;
    this.#sierraCosts = sierraCosts(block.constants);
    this.#provingCosts = provingCosts(block.bouncer);
    this.#walkGas = this.#gasOf(WALK, this.#sierraCosts);
    this.#walkPrimitivesGas = primitiveGas(WALK.builtins, this.#sierraCosts);
    this.#walkPrimitivesProvingGas = primitiveGas(WALK.builtins, this.#provingCosts);
  }

  /** Computes the part of a transaction's weights that does not depend on the block. */
  measure(transaction: WeighedTransaction): MeasuredTransaction {
    const { resources, footprint } = transaction;
    const { transaction: own, os, sierraGas } = resources;
    const sierra = this.#sierraCosts;
    const proving = this.#provingCosts;
    return {
      ...transaction,
      steps: totalSteps(own) + totalSteps(os),
      vmGas: this.#gasOf(own, sierra) + this.#gasOf(os, sierra) + sierraGas,
      primitivesGas: primitiveGas(os.builtins, sierra) + primitiveGas(footprint.primitives, sierra),
      primitivesProvingGas:
        primitiveGas(os.builtins, proving) + primitiveGas(footprint.primitives, proving),
    };
  }

  /** Weights of a transaction. @param touched - its accesses that are new to the block */
  weigh(state: CachedState, transaction: MeasuredTransaction, touched: NewlyTouched): Weighing {
    const { resources } = transaction;
    const { classes: newClasses, changes } = touched;
    const migrations = this.#migrationsOf(state, newClasses);
    const stateDiffSize = daWords({
      ...changes,
      compiledClassHashUpdates: changes.compiledClassHashUpdates + migrations.size,
    });
    // One walk through the old tree per touched cell, and one through the new tree per changed cell.
    const walks = touched.visits + changes.storageUpdates;
    const walkCount = BigInt(walks);
    const vmGas = transaction.vmGas + walkCount * this.#walkGas;
    const primitivesGas = transaction.primitivesGas + walkCount * this.#walkPrimitivesGas;
    const stepsGas = vmGas > primitivesGas ? vmGas - primitivesGas : 0n;
    const provingGas =
      stepsGas + transaction.primitivesProvingGas + walkCount * this.#walkPrimitivesProvingGas;

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
        steps: BigInt(transaction.steps + walks * totalSteps(WALK) + hashSteps),
      },
      casmHashSierraGas,
      casmHashProvingGas,
      sierraGasWithoutCasmHash,
      provingGasWithoutCasmHash,
      migrations,
    };
  }

  /** Executed classes whose stored compiled class hash is not in the newest form. */
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

function sum(values: Iterable<bigint>): bigint {
  let total = 0n;
  for (const value of values) total += value;
  return total;
}
