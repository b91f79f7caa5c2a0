import { DEVNET_METHODS, type MethodTable } from "#api/rpc/index.ts";
import { createRandom, type Random } from "#test/helpers/random.ts";
import type { OpenRpcDocuments } from "./documents.ts";
import type { ChainSamples } from "./samples.ts";
import { SchemaValues } from "./from-schema.ts";
import { damagedBody, mutated, oddValue } from "./mutate.ts";
import { Members, members, textOf, type Tree, Verbatim } from "./tree.ts";
import { type Setting, typicalValue } from "./typical.ts";

/** Sources of generated requests. */
export interface RequestSource {
  readonly samples: ChainSamples;
  readonly tables: readonly MethodTable[];
  /** Documents by version; empty without the fixtures. */
  readonly documents: ReadonlyMap<string, OpenRpcDocuments>;
}

/** A generated request. */
export interface MadeRequest {
  /** Specification version, as `0.10.2`. */
  readonly version: string;
  readonly body: string;
}

/** Methods that a request may use. */
export interface Reach {
  /** Whether to include methods that change the chain: they would spoil later requests. */
  readonly devnet: boolean;
  readonly subscriptions: boolean;
}

/** Number of changes to a request's parameters, drawn at random. */
const CHANGES = [0, 0, 0, 0, 1, 1, 1, 2];

interface NamedMethod {
  readonly wireName: string;
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly need: string }[];
}

/** Longer bodies are rejected unread; the tests of the transports cover that. */
const MAX_BODY = 1 << 20;

/** The request of a seed, deterministically. */
export function requestOf(source: RequestSource, seed: number, reach: Reach): MadeRequest {
  const { version, body } = anyRequestOf(source, seed, reach);
  return { version, body: body.slice(0, MAX_BODY).toWellFormed() };
}

function anyRequestOf(source: RequestSource, seed: number, reach: Reach): MadeRequest {
  const random = createRandom(Math.imul(seed, 0x9e3779b1));
  // The first numbers of neighbouring seeds are similar.
  for (let i = 0; i < 4; i++) random.below(1);
  const table = random.pick(source.tables) as MethodTable;
  const { version } = table.spec;
  const setting: Setting = { samples: source.samples, random, version };
  const one = (): Tree => envelope(table, source, setting, reach);
  const kind = random.below(100);
  if (kind < 6) {
    const length = random.below(30) === 0 ? 101 : random.below(8);
    return { version, body: textOf(Array.from({ length }, one)) };
  }
  const body = textOf(one());
  if (kind < 12) return { version, body: damagedBody(body, random) };
  if (kind < 14) return { version, body: textOf(oddValue(random)) };
  return { version, body };
}

function envelope(
  table: MethodTable,
  { documents }: RequestSource,
  setting: Setting,
  reach: Reach,
): Tree {
  const { random, version } = setting;
  const method = pickMethod(table, random, reach);
  const names = method.params.filter(({ need }) => need !== "optional" || random.below(3) === 0);
  const places = documents.get(version)?.params.get(method.name);
  const known = documents.get(version);
  const values = known && new SchemaValues(known, method.name, setting);
  const pairs = names.map(({ name }): readonly [string, Tree] => {
    const typical = typicalValue(method.name, name, setting);
    const { schema, document } = places?.get(name) ?? {};
    const bySchema = typical === undefined || random.below(3) === 0;
    if (bySchema && schema !== undefined && values !== undefined) {
      return [name, values.value(schema, document ?? "")];
    }
    return [name, typical ?? oddValue(random)];
  });
  const isNamed = random.below(2) === 0;
  let params: Tree = isNamed ? new Members(pairs) : pairs.map(([, value]) => value);
  for (let changes = random.pick(CHANGES) ?? 0; changes > 0; changes--) {
    params = mutated(params, random);
  }
  const request = members({
    jsonrpc: "2.0",
    ...(random.below(40) === 0 ? {} : { id: idOf(random) }),
    method: method.wireName,
    params,
  });
  return random.below(15) === 0 ? mutated(request, random) : request;
}

function pickMethod(table: MethodTable, random: Random, reach: Reach): NamedMethod {
  const prefix = random.below(4) === 0 ? "chain_" : "starknet_";
  if (random.below(50) === 0) {
    const name = random.pick(["getProof", "subscribeNewHeads", "", "__proto__"]) ?? "";
    return { wireName: prefix + name, name, params: [] };
  }
  if (reach.devnet && random.below(4) === 0) {
    const bound = random.pick(DEVNET_METHODS)?.bind(table.spec);
    if (bound !== undefined) return { ...bound, wireName: bound.name };
  }
  const subscribes = reach.subscriptions && random.below(6) === 0;
  const bound = random.pick([...(subscribes ? table.subscriptions : table.methods).values()]);
  const { name = "chainId", params = [] } = bound ?? {};
  return { wireName: prefix + name, name, params };
}

function idOf(random: Random): Tree {
  switch (random.below(12)) {
    case 0:
      return null;
    case 1:
      return `id-${random.below(1000)}-😀"\\`;
    case 2:
      return new Verbatim(String(2n ** 63n + BigInt(random.below(1000))));
    case 3:
      return -random.below(1000) - 0.5;
    default:
      return random.below(2 ** 31);
  }
}
