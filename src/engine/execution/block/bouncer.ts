import type { CasmHashFunction } from "#protocol/chain/index.ts";
import type { VmResources } from "#protocol/versions/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import { blakeHashOf } from "../blake-hash.ts";
import { daWords } from "../fee/gas-vector.ts";
import { messageStarknetGas } from "../fee/messages.ts";
import {
  addBuiltins,
  addResources,
  emptyResources,
  type PrimitiveName,
  sumResources,
  totalSteps,
} from "../resources.ts";
import type { BlockContext, BouncerCapacity, BouncerWeights, ProvingPrimitive } from "../types.ts";
import { classHashCost, type HashCost } from "./casm-hash-cost.ts";
import { type NewlyTouched, Touched, touchedAlone, type WeighedTransaction } from "./touched.ts";

/** Block-wide instances of each primitive; a primitive's proving gas is what they would fill. */
const DEFAULT_INSTANCE_LIMITS: Readonly<Record<ProvingPrimitive, bigint>> = {
  pedersen: 2_000_000n,
  range_check: 66_666_666n,
  range_check96: 33_519_553n,
  poseidon: 600_000n,
  ecdsa: 3_000n,
  ec_op: 130_000n,
  bitwise: 10_500_000n,
  keccak: 10_000n,
  add_mod: 3_000_000n,
  mul_mod: 3_000_000n,
  blake: 1_800_000n,
};

/** Proving gas that prices are derived from when the capacity doesn't limit it. */
const DEFAULT_PROVING_GAS = 5_000_000_000n;

/** Height to which the operating system is taken to walk in a trie for one cell. */
const TREE_HEIGHT = 24;
const STEPS_PER_LEVEL = 16;

type PrimitiveCosts = Readonly<Record<ProvingPrimitive, bigint>>;

/** No weight. */
export const NO_WEIGHTS: BouncerWeights = {
  l1Gas: 0n,
  messageSegmentLength: 0n,
  eventCount: 0n,
  transactionCount: 0n,
  stateDiffSize: 0n,
  sierraGas: 0n,
  provingGas: 0n,
  receiptL2Gas: 0n,
  steps: 0n,
};

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

/** Adds up what transactions weigh and tells when a block is full. */
export class Bouncer {
  readonly #block: BlockContext;
  readonly #capacity: BouncerCapacity;
  readonly #hasLimits: boolean;
  readonly #sierraCosts: PrimitiveCosts;
  readonly #provingCosts: PrimitiveCosts;
  readonly #touched = new Touched();
  readonly #casmHashSierraGas = new Map<Felt, bigint>();
  readonly #casmHashProvingGas = new Map<Felt, bigint>();
  readonly #migrations = new Map<Felt, readonly [Felt, Felt]>();
  #sierraGasWithoutCasmHash = 0n;
  #provingGasWithoutCasmHash = 0n;
  #weights = NO_WEIGHTS;

  constructor(block: BlockContext) {
    this.#block = block;
    this.#capacity = block.bouncer;
    this.#hasLimits = Object.keys(block.bouncer.limits).length > 0;
    const { os } = block.constants;
    this.#sierraCosts = { ...os.builtinGasCosts, blake: os.blakeGasCost };
    const provingGas = block.bouncer.limits.provingGas ?? DEFAULT_PROVING_GAS;
    const limits = { ...DEFAULT_INSTANCE_LIMITS, ...block.bouncer.instanceLimits };
    const derived = Object.fromEntries(
      Object.entries(limits).map(([name, limit]) => [name, provingGas / limit]),
    ) as Record<ProvingPrimitive, bigint>;
    this.#provingCosts = { ...derived, ...block.bouncer.provingGasCosts };
  }

  /** Weights of all transactions that were added. */
  weights(): BouncerWeights {
    return this.#weights;
  }

  /** Everything summed up, for the end of the block. */
  total(): Weighing {
    return {
      weights: this.#weights,
      casmHashSierraGas: this.#casmHashSierraGas,
      casmHashProvingGas: this.#casmHashProvingGas,
      sierraGasWithoutCasmHash: this.#sierraGasWithoutCasmHash,
      provingGasWithoutCasmHash: this.#provingGasWithoutCasmHash,
      migrations: this.#migrations,
    };
  }

  /** The weights of a transaction on top of this block. */
  weigh(state: CachedState, transaction: WeighedTransaction): Weighing {
    return this.#weigh(state, transaction, this.#touched.newIn(transaction.footprint));
  }

  /** The weights of a transaction that would be too large for an empty block. */
  exceededAlone(state: CachedState, transaction: WeighedTransaction): BouncerWeights | null {
    if (!this.#hasLimits) return null;
    const { weights } = this.#weigh(state, transaction, touchedAlone(transaction.footprint));
    return this.#fits(weights) ? null : weights;
  }

  /** Whether the block has room for these weights. */
  hasRoom(weighing: Weighing): boolean {
    return this.#fits(addWeights(this.#weights, weighing.weights));
  }

  /** Adds a transaction that was weighed on top of this block. */
  add(weighing: Weighing, transaction: WeighedTransaction): void {
    this.#weights = addWeights(this.#weights, weighing.weights);
    for (const [classHash, gas] of weighing.casmHashSierraGas) {
      this.#casmHashSierraGas.set(classHash, gas);
    }
    for (const [classHash, gas] of weighing.casmHashProvingGas) {
      this.#casmHashProvingGas.set(classHash, gas);
    }
    this.#sierraGasWithoutCasmHash += weighing.sierraGasWithoutCasmHash;
    this.#provingGasWithoutCasmHash += weighing.provingGasWithoutCasmHash;
    for (const [classHash, hashes] of weighing.migrations) this.#migrations.set(classHash, hashes);
    this.#touched.add(transaction.footprint);
  }

  #fits(weights: BouncerWeights): boolean {
    const { limits } = this.#capacity;
    for (const name in limits) {
      const dimension = name as keyof BouncerWeights;
      const limit = limits[dimension];
      if (limit !== undefined && weights[dimension] > limit) return false;
    }
    return true;
  }

  #weigh(state: CachedState, transaction: WeighedTransaction, touched: NewlyTouched): Weighing {
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
        const cost = this.#hashCost(state, classHash, hash);
        migrationSierraGas += this.#gasOf(cost, this.#sierraCosts);
        migrationProvingGas += this.#gasOf(cost, this.#provingCosts);
      }
    }
    const casmHashSierraGas = new Map<Felt, bigint>();
    const casmHashProvingGas = new Map<Felt, bigint>();
    let hashSteps = 0;
    for (const classHash of newClasses) {
      const cost = this.#hashCost(state, classHash, "blake");
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

  #hashCost(state: CachedState, classHash: Felt, hash: CasmHashFunction): HashCost {
    const executable = state.executableClass(classHash);
    return executable === undefined ? NO_HASH_COST : classHashCost(executable, hash);
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
    const { stepGasCost, memoryHoleGasCost } = this.#block.constants.os;
    return (
      BigInt(totalSteps(resources)) * stepGasCost +
      BigInt(resources.memoryHoles) * memoryHoleGasCost +
      primitiveGas(resources.builtins, costs) +
      BigInt(resources.blake ?? 0) * costs.blake
    );
  }
}

const NO_HASH_COST: HashCost = { steps: 0, memoryHoles: 0, builtins: {}, blake: 0 };

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

function primitiveGas(
  counters: Readonly<Partial<Record<PrimitiveName, number>>>,
  costs: PrimitiveCosts,
): bigint {
  let gas = 0n;
  for (const name in counters) {
    // The segment arena is counted as steps; contracts have no output.
    if (name === "segment_arena" || name === "output") continue;
    const primitive = name as ProvingPrimitive;
    gas += BigInt(counters[primitive] ?? 0) * costs[primitive];
  }
  return gas;
}

function sum(values: Iterable<bigint>): bigint {
  let total = 0n;
  for (const value of values) total += value;
  return total;
}

function addWeights(a: BouncerWeights, b: BouncerWeights): BouncerWeights {
  return {
    l1Gas: a.l1Gas + b.l1Gas,
    messageSegmentLength: a.messageSegmentLength + b.messageSegmentLength,
    eventCount: a.eventCount + b.eventCount,
    transactionCount: a.transactionCount + b.transactionCount,
    stateDiffSize: a.stateDiffSize + b.stateDiffSize,
    sierraGas: a.sierraGas + b.sierraGas,
    provingGas: a.provingGas + b.provingGas,
    receiptL2Gas: a.receiptL2Gas + b.receiptL2Gas,
    steps: a.steps + b.steps,
  };
}
