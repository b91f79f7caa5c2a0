import { expect, test } from "bun:test";
import type { MempoolListing } from "#services/admission/index.ts";
import { ownSchemas } from "#test/helpers/own-openrpc.ts";
import { type RpcAnswer, tableOf, VERSIONS } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { answerText, dispatcherOf, type FullContext } from "#test/helpers/serving.ts";

const LISTING: MempoolListing = { waiting: 7, ahead: 2, inFlight: 3, transactions: [] };

async function ask(
  method: string,
  parts: Partial<FullContext>,
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
] as const)("node_getInfo reports a node of kind %s like Katana", async (kind, chainKind) => {
  const expected = {
    version: "1.2.3",
    gitSha: "unknown",
    buildTimestamp: "unknown",
    features: [],
    chainId: "0x534e5f4d41494e",
    chainKind,
  };
  for (const version of VERSIONS) {
    const parts = { node: { version: "1.2.3", kind }, chainId: 0x534e5f4d41494en };
    expect(await ask("node_getInfo", parts, { version })).toMatchObject({ result: expected });
    expect(ownSchemas(version).resultFindings("node_getInfo", expected)).toEqual([]);
  }
});

test("txpool_status counts executable transactions and those that wait for a nonce", async () => {
  const limits: number[] = [];
  const waiting = (limit: number) => {
    limits.push(limit);
    return Promise.resolve(LISTING);
  };
  for (const version of VERSIONS) {
    const expected = { pending: 8, queued: 2 };
    expect(await ask("txpool_status", { waiting }, { version })).toMatchObject({
      result: expected,
    });
    expect(ownSchemas(version).resultFindings("txpool_status", expected)).toEqual([]);
  }
  // Counting lists no transactions.
  expect(new Set(limits)).toEqual(new Set([0]));
});

test("txpool_content exists only on development chains, and the other methods take no parameters", async () => {
  expect(await ask("txpool_content", {})).toMatchObject({ error: { code: -32601 } });
  for (const method of ["node_getInfo", "txpool_status"]) {
    expect(await ask(method, {}, { params: { x: 1 } })).toMatchObject({ error: { code: -32602 } });
  }
});
