import type { JsonObject } from "#base/codec/index.ts";
import { once } from "#base/primitives/index.ts";
import type { MainContext } from "./context.ts";
import { type Method, method } from "./method.ts";
import { openRpcDocument } from "./openrpc/document.ts";
import { METHOD_PREFIXES, type MethodTable } from "./table.ts";

/**
 * Adds the two discovery methods to a table: `rpc_methods` as in servers built with jsonrpsee, and
 * `rpc.discover` of OpenRPC 1.3.2.
 */
export function withDiscovery<C extends MainContext>(table: MethodTable<C>): MethodTable<C> {
  const own = new Map(
    [rpcMethods(table), rpcDiscover(table)].map((each) => [each.name, each.bind(table.spec)]),
  );
  return { ...table, find: (wireName) => own.get(wireName) ?? table.find(wireName) };
}

function rpcMethods(table: MethodTable): Method<MainContext> {
  const names = once(() => servedNames(table));
  return method({
    name: "rpc_methods",
    family: "read",
    runsOn: "main",
    summary: "Names of all methods that are served.",
    params: () => ({}),
    result: () => (answer: { readonly methods: readonly string[] }) => answer,
    errors: [],
    handler: () => ({ methods: names() }),
  });
}

function rpcDiscover(table: MethodTable): Method<MainContext> {
  const document = once(() => openRpcDocument(table));
  return method({
    name: "rpc.discover",
    family: "read",
    runsOn: "main",
    summary: "The OpenRPC document of the version.",
    params: () => ({}),
    result: () => (answer: JsonObject) => answer,
    errors: [],
    handler: document,
  });
}

function servedNames({ methods, subscriptions, extensions, developer }: MethodTable): string[] {
  const bare = [...methods.keys(), ...subscriptions.keys()];
  const whole = [...extensions.keys(), ...developer.keys()];
  return [
    ...METHOD_PREFIXES.flatMap((prefix) => bare.map((name) => prefix + name)),
    ...whole,
    "rpc_methods",
    "rpc.discover",
  ].sort();
}
