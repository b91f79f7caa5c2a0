import { expect, test } from "bun:test";
import type { MempoolListing } from "#services/admission/index.ts";
import { ownSchemas } from "#test/helpers/own-openrpc.ts";
import { type RpcAnswer, tableOf, VERSIONS } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { answerText, dispatcherOf, type WholeContext } from "#test/helpers/serving.ts";

const LISTING: MempoolListing = { waiting: 7, ahead: 2, inFlight: 3, transactions: [] };

async function ask(
  method: string,
  parts: Partial<WholeContext>,
  { params = [], version = "0.10.2" }: { params?: unknown; version?: string } = {},
): Promise<RpcAnswer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = await answerText(dispatcherOf(sampleContext(parts)), body, tableOf(version));
  return JSON.parse(answer) as RpcAnswer;
}

test.each([
  ["development", "Dev"],
  ["sequencer", "Rollup"],
  ["full", "FullNode"],
] as const)("node_getInfo calls a node of the kind %s as Katana does", async (kind, chainKind) => {
  const said = {
    version: "1.2.3",
    gitSha: "unknown",
    buildTimestamp: "unknown",
    features: [],
    chainId: "0x534e5f4d41494e",
    chainKind,
  };
  for (const version of VERSIONS) {
    const parts = { node: { version: "1.2.3", kind }, chainId: 0x534e5f4d41494en };
    expect(await ask("node_getInfo", parts, { version })).toMatchObject({ result: said });
    expect(ownSchemas(version).resultFindings("node_getInfo", said)).toEqual([]);
  }
});

test("txpool_status counts what can be executed, and what waits for a nonce", async () => {
  const limits: number[] = [];
  const waiting = (limit: number) => {
    limits.push(limit);
    return Promise.resolve(LISTING);
  };
  for (const version of VERSIONS) {
    const said = { pending: 8, queued: 2 };
    expect(await ask("txpool_status", { waiting }, { version })).toMatchObject({ result: said });
    expect(ownSchemas(version).resultFindings("txpool_status", said)).toEqual([]);
  }
  // No transaction is listed to be counted.
  expect(new Set(limits)).toEqual(new Set([0]));
});

test("txpool_content is there on development chains alone, and none takes parameters", async () => {
  expect(await ask("txpool_content", {})).toMatchObject({ error: { code: -32601 } });
  for (const method of ["node_getInfo", "txpool_status"]) {
    expect(await ask(method, {}, { params: { x: 1 } })).toMatchObject({ error: { code: -32602 } });
  }
});
