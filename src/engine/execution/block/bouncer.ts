import type { Felt } from "#base/primitives/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import { type BouncerCapacity, isWithin } from "./capacity.ts";
import type { BlockContext } from "./context.ts";
import { type MeasuredTransaction, Scale, type Weighing } from "./scale.ts";
import { Touched, touchedAlone, type WeighedTransaction } from "./touched.ts";
import { addWeights, type BouncerWeights, NO_WEIGHTS } from "./weights.ts";

/** Sums up transaction weights and determines when a block is full. */
export class Bouncer {
  readonly #scale: Scale;
  readonly #capacity: BouncerCapacity;
  readonly #hasLimits: boolean;
  readonly #touched = new Touched();
  readonly #casmHashSierraGas = new Map<Felt, bigint>();
  readonly #casmHashProvingGas = new Map<Felt, bigint>();
  readonly #migrations = new Map<Felt, readonly [Felt, Felt]>();
  #sierraGasWithoutCasmHash = 0n;
  #provingGasWithoutCasmHash = 0n;
  #weights = NO_WEIGHTS;

  constructor(block: BlockContext) {
    this.#scale = new Scale(block);
    this.#capacity = block.bouncer;
    this.#hasLimits = Object.keys(block.bouncer.limits).length > 0;
  }

  weights(): BouncerWeights {
    return this.#weights;
  }

  /** Complete sums, for the end of the block. */
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

  /** Computes the part of a transaction's weights that does not depend on the block. */
  measure(transaction: WeighedTransaction): MeasuredTransaction {
    return this.#scale.measure(transaction);
  }

  /** Computes a transaction's weights on top of this block. */
  weigh(state: CachedState, transaction: MeasuredTransaction): Weighing {
    return this.#scale.weigh(state, transaction, this.#touched.newIn(transaction.footprint));
  }

  /** Returns a transaction's weights if they exceed the capacity of an empty block, else `null`. */
  exceededAlone(state: CachedState, transaction: MeasuredTransaction): BouncerWeights | null {
    if (!this.#hasLimits) return null;
    const touched = touchedAlone(transaction.footprint);
    const { weights } = this.#scale.weigh(state, transaction, touched);
    return isWithin(this.#capacity, weights) ? null : weights;
  }

  hasRoom(weighing: Weighing): boolean {
    return isWithin(this.#capacity, addWeights(this.#weights, weighing.weights));
  }

  /** Adds a transaction; `weighing` must have been computed on top of this block. */
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
}
