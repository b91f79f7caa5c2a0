import { editDistance } from "#base/primitives/index.ts";
import type { MainContext } from "./context.ts";
import type { RpcErrorName } from "./errors.ts";
import type { Method } from "./method.ts";
import type { BoundMethod, LocalMethod } from "./bound-method.ts";
import type { SpecVersion } from "./spec/version.ts";
import type { SubscriptionContext } from "./ws/context.ts";

/** Prefixes of all methods: the Starknet network's, and the one for app chains. */
export const METHOD_PREFIXES = ["starknet_", "chain_"] as const;

/**
 * Methods of one version of the specification.
 *
 * @typeParam C - context that a server must provide; `never` if unknown, and the methods can only be
 *   described, not called
 */
export interface MethodTable<C = never> {
  readonly spec: SpecVersion;
  /** Short texts served next to JSON-RPC, by path. */
  readonly pages: ReadonlyMap<string, string>;
  /** By name without prefix. */
  readonly methods: ReadonlyMap<string, BoundMethod<C>>;
  /** Additional methods of other nodes, by full name. */
  readonly extensions: ReadonlyMap<string, BoundMethod<C>>;
  /** Additional methods for developers, by full name. */
  readonly developer: ReadonlyMap<string, BoundMethod<C>>;
  /** Additional methods of WebSocket connections, by name without prefix. */
  readonly subscriptions: ReadonlyMap<string, LocalMethod<SubscriptionContext>>;
  /** Finds a method by its wire name, with either prefix. */
  find(wireName: string): BoundMethod<C> | undefined;
  /** Returns the served name most similar to `wireName`; `undefined` if none is close. */
  nearest(wireName: string): string | undefined;
}

/** Whether WebSocket connections have a method of this name, with either prefix. */
export function isSubscription(
  { subscriptions }: Pick<MethodTable, "subscriptions">,
  wireName: string,
): boolean {
  const prefix = METHOD_PREFIXES.find((known) => wireName.startsWith(known));
  return prefix !== undefined && subscriptions.has(wireName.slice(prefix.length));
}

/** Methods that are declared but not bound to a version. */
export interface DeclaredMethods<C> {
  readonly methods: readonly Method<C>[];
  /** For WebSocket connections only. */
  readonly subscriptions: readonly SubscriptionMethod[];
  /** Methods without a prefix. */
  readonly extensions: readonly Method<C>[];
}

/** Method for WebSocket connections only. */
export type SubscriptionMethod = Method<SubscriptionContext, string, RpcErrorName, "main">;

/** Binds methods to a version. */
export function createMethodTable<C extends MainContext>(
  spec: SpecVersion,
  declared: DeclaredMethods<C>,
): MethodTable<C> {
  const methods = boundTo(spec, declared.methods);
  const extensions = boundTo(spec, declared.extensions);
  const byWireName = new Map(extensions);
  for (const prefix of METHOD_PREFIXES) {
    for (const [name, bound] of methods) byWireName.set(prefix + name, bound);
  }
  return {
    spec,
    pages: new Map(),
    methods,
    extensions,
    developer: new Map(),
    subscriptions: new Map(
      declared.subscriptions.map((method) => [method.name, method.bind(spec)]),
    ),
    find: (wireName) => byWireName.get(wireName),
    nearest(wireName) {
      if (wireName.length > 64) return undefined;
      const lowered = wireName.toLowerCase();
      let best: string | undefined;
      let bestDistance = 8;
      for (const name of byWireName.keys()) {
        const full = name.toLowerCase();
        const bare = extensions.has(name) ? full : full.slice(full.indexOf("_") + 1);
        const distance = Math.min(editDistance(lowered, full), editDistance(lowered, bare));
        if (distance < bestDistance) [best, bestDistance] = [name, distance];
      }
      return best;
    },
  };
}

/** Returns the methods of a version by name. */
export function boundTo<C>(
  spec: SpecVersion,
  declared: readonly Method<C>[],
): Map<string, BoundMethod<C>> {
  return new Map(declared.map((method) => [method.name, method.bind(spec)]));
}
