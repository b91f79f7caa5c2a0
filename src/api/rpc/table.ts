import { editDistance } from "#base/primitives/index.ts";
import type { BoundMethod, Method } from "./method.ts";
import type { SpecVersion } from "./spec/version.ts";

/** Both prefixes that methods are served under: the network's own, and the one of own chains. */
export const METHOD_PREFIXES = ["starknet_", "chain_"] as const;

/** The methods of one version of the specification. */
export interface MethodTable {
  readonly spec: SpecVersion;
  /** Short texts that are served beside JSON-RPC, by path. */
  readonly pages?: ReadonlyMap<string, string>;
  /** By name without prefix. */
  readonly methods: ReadonlyMap<string, BoundMethod>;
  /** Methods of other nodes that are served besides, by their whole names. */
  readonly extensions?: ReadonlyMap<string, BoundMethod>;
  /** Methods for developers that are served besides, by their whole names. */
  readonly developer?: ReadonlyMap<string, BoundMethod>;
  /** What WebSocket connections have besides, by name without prefix. */
  readonly subscriptions: ReadonlyMap<string, BoundMethod>;
  /** By name with either prefix. */
  find(wireName: string): BoundMethod | undefined;
  /** The served name that `wireName` is most like, when it is like one at all. */
  nearest(wireName: string): string | undefined;
}

/** Whether WebSocket connections have a method of this name, with either prefix. */
export function isSubscription({ subscriptions }: MethodTable, wireName: string): boolean {
  const prefix = METHOD_PREFIXES.find((known) => wireName.startsWith(known));
  return prefix !== undefined && subscriptions.has(wireName.slice(prefix.length));
}

/**
 * Binds methods to a version.
 *
 * @param subscriptions - methods for WebSocket connections only
 * @param extended - methods that have no prefix
 */
export function createMethodTable(
  spec: SpecVersion,
  declared: readonly Method[],
  subscriptions: readonly Method[] = [],
  extended: readonly Method[] = [],
): MethodTable {
  const methods = new Map(declared.map((method) => [method.name, method.bind(spec)]));
  const extensions = new Map(extended.map((method) => [method.name, method.bind(spec)]));
  const byWireName = new Map<string, BoundMethod>(extensions);
  for (const prefix of METHOD_PREFIXES) {
    for (const [name, bound] of methods) byWireName.set(prefix + name, bound);
  }
  return {
    spec,
    methods,
    extensions,
    subscriptions: new Map(subscriptions.map((method) => [method.name, method.bind(spec)])),
    find: (wireName) => byWireName.get(wireName),
    nearest(wireName) {
      if (wireName.length > 64) return undefined;
      const said = wireName.toLowerCase();
      let best: string | undefined;
      let bestDistance = 8;
      for (const name of byWireName.keys()) {
        const full = name.toLowerCase();
        const bare = extensions.has(name) ? full : full.slice(full.indexOf("_") + 1);
        const distance = Math.min(editDistance(said, full), editDistance(said, bare));
        if (distance < bestDistance) [best, bestDistance] = [name, distance];
      }
      return best;
    },
  };
}
