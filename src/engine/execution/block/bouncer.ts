import type { Felt } from "#base/primitives/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import { type BouncerCapacity, isWithin } from "./capacity.ts";
import type { BlockContext } from "./context.ts";
import { type MeasuredTransaction, Scale, type Weighing } from "./scale.ts";
import { Touched, touchedAlone, type WeighedTransaction } from "./touched.ts";
import { addWeights, type BouncerWeights, NO_WEIGHTS } from "./weights.ts";

/** Adds up what transactions weigh and tells when a block is full. */
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

  /** What a transaction weighs in whatever block. */
  measure(transaction: WeighedTransaction): MeasuredTransaction {
    return this.#scale.measure(transaction);
  }

  /** The weights of a transaction on top of this block. */
  weigh(state: CachedState, transaction: MeasuredTransaction): Weighing {
    return this.#scale.weigh(state, transaction, this.#touched.newIn(transaction.footprint));
  }

  /** The weights of a transaction that would be too large for an empty block. */
  exceededAlone(state: CachedState, transaction: MeasuredTransaction): BouncerWeights | null {
    if (!this.#hasLimits) return null;
    const touched = touchedAlone(transaction.footprint);
    const { weights } = this.#scale.weigh(state, transaction, touched);
    return isWithin(this.#capacity, weights) ? null : weights;
  }

  /** Whether the block has room for these weights. */
  hasRoom(weighing: Weighing): boolean {
    return isWithin(this.#capacity, addWeights(this.#weights, weighing.weights));
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
}
