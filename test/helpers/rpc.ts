import { expect } from "bun:test";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { createMethodTables, type MethodTable, type ServerContext } from "#api/rpc/index.ts";
import { loadOpenRpc, type OpenRpc } from "./openrpc.ts";
import { ownSchemas } from "./own-openrpc.ts";
import { sampleContext } from "./sample-chain.ts";
import { answerText, dispatcherOf, type FullContext } from "./serving.ts";
import { fixtureTest } from "./shared.ts";

/** A JSON-RPC response without its envelope. */
export type RpcAnswer =
  | { readonly result: unknown }
  | {
      readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
    };

const TABLES = createMethodTables();
const [newest] = TABLES;

/** Served versions of the specification, newest first. */
export const VERSIONS: readonly string[] = TABLES.map(({ spec }) => spec.version);

/**
 * Returns the method table of a served version of the specification; of the newest one if the
 * version is unknown.
 */
export function tableOf(version: string): MethodTable<ServerContext> {
  return TABLES.find(({ spec }) => spec.version === version) ?? newest;
}

/** Sends one request through the dispatcher of a version, by default the newest. */
export async function ask(
  method: string,
  params: JsonValue = [],
  context: FullContext = sampleContext(),
  version: string = newest.spec.version,
): Promise<RpcAnswer> {
  const request = { jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params };
  const text = await answerText(dispatcherOf(context), stringifyJson(request), tableOf(version));
  const { jsonrpc: _, id: __, ...answer } = JSON.parse(text) as Record<string, unknown>;
  return answer as unknown as RpcAnswer;
}

/** The result of a request that must succeed. */
export async function resultOf(
  method: string,
  params: JsonValue = [],
  context: FullContext = sampleContext(),
  version: string = newest.spec.version,
): Promise<unknown> {
  const answer = await ask(method, params, context, version);
  if ("error" in answer) expect(answer.error).toBeUndefined();
  return "result" in answer ? answer.result : undefined;
}

/** The error of a request that must fail. */
export async function errorOf(
  method: string,
  params: JsonValue = [],
  context: FullContext = sampleContext(),
  version: string = newest.spec.version,
): Promise<{ readonly code: number; readonly message: string; readonly data?: unknown }> {
  const answer = await ask(method, params, context, version);
  if (!("error" in answer)) expect(answer).toHaveProperty("error");
  return "error" in answer ? answer.error : { code: 0, message: "" };
}

/**
 * One request of {@link specTest}, in the format of the newest version. `since` is the first
 * version that supports it, if that does not follow from its tags and the number of its parameters.
 */
export type SpecCase = readonly [
  params: JsonValue,
  context?: FullContext | undefined,
  options?: { readonly since: string },
];

const openRpcs = new Map<string, OpenRpc>();

/** The OpenRPC files of a version. */
export function openRpcOf(version: string): OpenRpc {
  const known = openRpcs.get(version) ?? loadOpenRpc(`v${version}`);
  openRpcs.set(version, known);
  return known;
}

/** The OpenRPC files of the newest version. */
export function newestOpenRpc(): OpenRpc {
  return openRpcOf(newest.spec.version);
}

const shapeTest = fixtureTest("rpc-spec");

/**
 * Defines tests that every response, result or error, matches the OpenRPC files: one for each
 * version that has the method.
 */
export function specTest(method: string, cases: readonly SpecCase[]): void {
  for (const table of TABLES) {
    if (!table.methods.has(method)) continue;
    const { version } = table.spec;
    shapeTest(`${method} responses match the OpenRPC files of ${version}`, async () => {
      let asked = 0;
      for (const [newestParams, context, options] of cases) {
        if (options !== undefined && TABLES.indexOf(table) > VERSIONS.indexOf(options.since))
          continue;
        const params = paramsIn(table, method, newestParams);
        if (params === undefined) continue;
        asked++;
        const findings = findingsOf(version, method, await ask(method, params, context, version));
        expect({ params, findings }).toEqual({ params, findings: [] });
      }
      expect(asked).toBeGreaterThan(0);
    });
  }
}

/** Findings about a response, by the OpenRPC files of a version and by this project's document. */
export function findingsOf(version: string, method: string, answer: RpcAnswer): string[] {
  if ("error" in answer) return openRpcOf(version).errorFindings(method, answer.error);
  return [
    ...openRpcOf(version).resultFindings(method, answer.result),
    ...ownSchemas(version).resultFindings(method, answer.result),
  ];
}

/**
 * Converts parameters of the newest version to another one; `undefined` if that lacks an
 * equivalent.
 */
function paramsIn(
  table: MethodTable<ServerContext>,
  method: string,
  params: JsonValue,
): JsonValue | undefined {
  const names = (table.methods.get(method)?.params ?? []).map(({ name }) => name);
  if (Array.isArray(params) && params.length > names.length) return undefined;
  if (
    !Array.isArray(params) &&
    Object.keys(params as object).some((name) => !names.includes(name))
  ) {
    return undefined;
  }
  if (TABLES.indexOf(table) <= VERSIONS.indexOf("0.9.0")) return params;
  const text = stringifyJson(params);
  if (text.includes('"l1_accepted"')) return undefined;
  return JSON.parse(text.replaceAll('"pre_confirmed"', '"pending"')) as JsonValue;
}
