import { afterAll, expect, test } from "bun:test";
import { DECLARE, INVOKE } from "#test/helpers/broadcasted.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import type { FullContext } from "#test/helpers/serving.ts";
import { serveSample } from "#test/helpers/sample-server.ts";

const REASON = "the node is busy: 8 transactions wait to be validated; try again in 7 s";
const refuse = () =>
  Promise.resolve({
    kind: "rejected",
    code: "UNEXPECTED_ERROR",
    reason: REASON,
    retryAfterSeconds: 7,
  } as const);
const context: FullContext = {
  ...sampleContext(),
  submit: { submit: refuse, declare: refuse },
};
const server = await serveSample({ context });
afterAll(() => server.stop());

const SUBMISSION = {
  jsonrpc: "2.0",
  id: 1,
  method: "starknet_addInvokeTransaction",
  params: [INVOKE],
};
const DECLARATION = { ...SUBMISSION, method: "starknet_addDeclareTransaction", params: [DECLARE] };
const BUSY = {
  jsonrpc: "2.0",
  id: 1,
  error: { code: 63, message: "An unexpected error occurred", data: REASON },
};

function post(body: unknown): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}`, { method: "POST", body: JSON.stringify(body) });
}

test.each([
  ["an invoke", SUBMISSION],
  ["a declaration", DECLARATION],
])("busy node responds 429 with Retry-After to %s", async (_, submission) => {
  const response = await post(submission);
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("7");
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toEqual(BUSY);
});

test("batch with a refused transaction responds 200 with Retry-After", async () => {
  const number = { jsonrpc: "2.0", id: 2, method: "starknet_blockNumber" };
  const response = await post([SUBMISSION, number]);
  expect(response.status).toBe(200);
  expect(response.headers.get("retry-after")).toBe("7");
  expect(await response.json()).toEqual([BUSY, { jsonrpc: "2.0", id: 2, result: 1 }]);
});

test("other responses have no Retry-After", async () => {
  const response = await post({ jsonrpc: "2.0", id: 2, method: "starknet_blockNumber" });
  expect([response.status, response.headers.get("retry-after")]).toEqual([200, null]);
});
