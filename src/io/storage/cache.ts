/**
 * Cache of recently used values, limited by weight. It has two generations: used values move to the young
 * one, and when that is full, the old one is dropped. This costs one map operation per use, where strict LRU
 * order would cost two, and keeps between half and all of the allowed weight.
 */
export class GenerationCache<K, V> {
  readonly #maxWeight: number;
  readonly #weigh: (value: V) => number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #youngWeight = 0;

  /**
   * @param maxWeight - 0 disables the cache
   * @param weigh - returns the weight of a value; default: 1
   */
  constructor(maxWeight: number, weigh: (value: V) => number = () => 1) {
    this.#maxWeight = maxWeight / 2;
    this.#weigh = weigh;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.#maxWeight === 0) return;
    const replaced = this.#young.get(key);
    if (replaced !== undefined) this.#youngWeight -= this.#weigh(replaced);
    this.#youngWeight += this.#weigh(value);
    if (this.#youngWeight > this.#maxWeight) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngWeight = this.#weigh(value);
    }
    this.#young.set(key, value);
  }

  delete(key: K): void {
    const young = this.#young.get(key);
    if (young !== undefined) this.#youngWeight -= this.#weigh(young);
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#youngWeight = 0;
  }
}
