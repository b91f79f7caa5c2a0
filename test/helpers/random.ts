/** Deterministic random choices by a seed. */
export interface Random {
  /** An integer from 0 to below `bound`; 0 for a bound of 0. */
  below(bound: number): number;
  /** An item of a list; `undefined` if it is empty. */
  pick<T>(list: readonly T[]): T | undefined;
  /** The list in random order. */
  shuffled<T>(list: readonly T[]): T[];
}

/** Creates random choices by a seed (mulberry32; shuffles by Fisher and Yates). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(unit() * bound);
  return {
    below,
    pick: (list) => list[below(list.length)],
    shuffled: (list) => {
      const result = [...list];
      for (let i = result.length - 1; i > 0; i--) {
        const j = below(i + 1);
        const [a, b] = [result[i], result[j]];
        if (a !== undefined && b !== undefined) [result[i], result[j]] = [b, a];
      }
      return result;
    },
  };
}
