import { afterAll, expect, test } from "bun:test";
import type { SubmitClient } from "#api/rpc/index.ts";
import { DECLARE, DEPLOY_ACCOUNT, INVOKE } from "#test/helpers/broadcasted.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { serveSample } from "#test/helpers/sample-server.ts";

const arrived: ((signal: AbortSignal) => void)[] = [];
const waiting = (_: unknown, { signal }: SubmitClient): Promise<never> => {
  arrived.shift()?.(signal);
  return new Promise<never>(() => undefined);
};
const server = await serveSample({
  context: { ...sampleContext(), submit: { submit: waiting, declare: waiting } },
});
afterAll(() => server.stop());

test.each([
  ["addInvokeTransaction", INVOKE],
  ["addDeployAccountTransaction", DEPLOY_ACCOUNT],
  ["addDeclareTransaction", DECLARE],
])("%s is notified when its client disconnects", async (method, transaction) => {
  const submitted = new Promise<AbortSignal>((resolve) => arrived.push(resolve));
  const body = { jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params: [transaction] };
  const client = new AbortController();
  const { signal } = client;
  const url = `http://127.0.0.1:${server.port}`;
  const sent = fetch(url, { method: "POST", body: JSON.stringify(body), signal }).catch(String);
  const seen = await submitted;
  expect(seen.aborted).toBe(false);
  const gone = new Promise((resolve) => seen.addEventListener("abort", resolve));
  client.abort();
  await gone;
  await sent;
});
