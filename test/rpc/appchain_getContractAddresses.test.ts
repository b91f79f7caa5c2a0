import { expect, test } from "bun:test";
import { ownSchemas } from "#test/helpers/own-openrpc.ts";
import { type RpcAnswer, tableOf, VERSIONS } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { answerText, dispatcherOf } from "#test/helpers/serving.ts";

const METHOD = "appchain_getContractAddresses";
const ADDRESSES = { core_contract: "0xc0e", native_fee_token: "0x57", parent_fee_token: "0xe7" };

async function ask(params: unknown, version: string): Promise<RpcAnswer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: METHOD, params });
  const answer = await answerText(dispatcherOf(sampleContext()), body, tableOf(version));
  return JSON.parse(answer) as RpcAnswer;
}

for (const version of VERSIONS) {
  test(`${version}: returns the configured addresses`, async () => {
    for (const params of [[], {}]) {
      expect(await ask(params, version)).toMatchObject({ result: ADDRESSES });
    }
    expect(ownSchemas(version).resultFindings(METHOD, ADDRESSES)).toEqual([]);
    expect(
      ownSchemas(version).resultFindings(METHOD, { ...ADDRESSES, core_contract: "x" }),
    ).not.toEqual([]);
  });
}

test("takes no parameters", async () => {
  expect(await ask({ x: 1 }, "0.10.2")).toMatchObject({ error: { code: -32602 } });
});
