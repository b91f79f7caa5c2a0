import type { BoundMethod, Method } from "./method.ts";
import type { SpecVersion } from "./spec/version.ts";

/** Both prefixes that methods are served under: the network's own, and the interface document's. */
export const METHOD_PREFIXES = ["starknet_", "chain_"] as const;

/** The methods of one version of the specification. */
export interface MethodTable {
  readonly spec: SpecVersion;
  /** By name without prefix. */
  readonly methods: ReadonlyMap<string, BoundMethod>;
  /** By name with either prefix. */
  find(wireName: string): BoundMethod | undefined;
  /** The served name that `wireName` is most like, when it is like one at all. */
  nearest(wireName: string): string | undefined;
}

/** Binds methods to a version. */
export function createMethodTable(spec: SpecVersion, declared: readonly Method[]): MethodTable {
  const methods = new Map(declared.map((method) => [method.name, method.bind(spec)]));
  const byWireName = new Map<string, BoundMethod>();
  for (const prefix of METHOD_PREFIXES) {
    for (const [name, bound] of methods) byWireName.set(prefix + name, bound);
  }
  return {
    spec,
    methods,
    find: (wireName) => byWireName.get(wireName),
    nearest(wireName) {
      if (wireName.length > 64) return undefined;
      let best: string | undefined;
      let bestDistance = 8;
      for (const name of byWireName.keys()) {
        const bare = name.slice(name.indexOf("_") + 1);
        const distance = Math.min(editDistance(wireName, name), editDistance(wireName, bare));
        if (distance < bestDistance) [best, bestDistance] = [name, distance];
      }
      return best;
    },
  };
}

/** Levenshtein distance, without regard to case. */
function editDistance(a: string, b: string): number {
  const left = a.toLowerCase();
  const right = b.toLowerCase();
  let previous = Array.from({ length: right.length + 1 }, (_, i) => i);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[right.length] ?? 0;
}
