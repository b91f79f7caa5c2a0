import { expect } from "bun:test";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { createMethodTables, type RpcContext } from "#api/rpc/index.ts";
import { createDispatcher } from "#api/rpc/dispatch.ts";
import { loadOpenRpc, type OpenRpc } from "./openrpc.ts";
import { sampleContext } from "./sample-chain.ts";
import { sharedTest } from "./shared.ts";

/** A JSON-RPC answer without its envelope. */
export type RpcAnswer =
  | { readonly result: unknown }
  | {
      readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
    };

const [newest] = createMethodTables();

/** Sends one request through the dispatcher of the newest version. */
export async function ask(
  method: string,
  params: JsonValue = [],
  context: RpcContext = sampleContext(),
): Promise<RpcAnswer> {
  const dispatcher = createDispatcher({ context });
  const request = { jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params };
  const body = await dispatcher.handle(stringifyJson(request), newest);
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const { jsonrpc: _, id: __, ...answer } = JSON.parse(text) as Record<string, unknown>;
  return answer as unknown as RpcAnswer;
}

/** The result of a request that must succeed. */
export async function resultOf(
  method: string,
  params: JsonValue = [],
  context: RpcContext = sampleContext(),
): Promise<unknown> {
  const answer = await ask(method, params, context);
  if ("error" in answer) expect(answer.error).toBeUndefined();
  return "result" in answer ? answer.result : undefined;
}

/** The error of a request that must fail. */
export async function errorOf(
  method: string,
  params: JsonValue = [],
  context: RpcContext = sampleContext(),
): Promise<{ readonly code: number; readonly message: string; readonly data?: unknown }> {
  const answer = await ask(method, params, context);
  if (!("error" in answer)) expect(answer).toHaveProperty("error");
  return "error" in answer ? answer.error : { code: 0, message: "" };
}

/** One request of {@link specTest}. */
export type SpecCase = readonly [params: JsonValue, context?: RpcContext];

let openRpc: OpenRpc | undefined;

/** The OpenRPC files of the newest version. */
export function newestOpenRpc(): OpenRpc {
  openRpc ??= loadOpenRpc("v0.10.2");
  return openRpc;
}

/** Registers a test that every answer, result or error, has the shape of the OpenRPC files. */
export function specTest(method: string, cases: readonly SpecCase[]): void {
  sharedTest(`${method} answers in the shapes of the OpenRPC files`, async () => {
    for (const [params, context] of cases) {
      const answer = await ask(method, params, context);
      const findings =
        "result" in answer
          ? newestOpenRpc().resultFindings(method, answer.result)
          : newestOpenRpc().errorFindings(method, answer.error);
      expect({ params, findings }).toEqual({ params, findings: [] });
    }
  });
}
