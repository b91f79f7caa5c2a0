import { expect, test } from "bun:test";
import type { QueryContext, TracedBlock } from "#api/rpc/index.ts";
import type { RevertedTrace } from "#engine/execution/index.ts";
import { fakeCall, fakeTrace } from "#test/helpers/call-info.ts";
import { explorerApi } from "#test/helpers/explorer-api.ts";
import { explorerBlock, invokeOf } from "#test/helpers/explorer-blocks.ts";

const BLOCK = explorerBlock(0, [
  {
    transaction: invokeOf(0x5en, 0xc0n),
    status: { kind: "reverted", reason: "too much" },
  },
]);
const HASH = BLOCK.transactions[0]?.hash.toString(16);

/** Answer of the API if the execution left these calls. */
async function answerWith(reverted: RevertedTrace | "too_large" | null) {
  const traceOne = (block: TracedBlock, index: number) => {
    const transaction = block.contents().transactions[index] ?? expect.unreachable();
    const trace = fakeTrace(transaction, { revertReason: "too much" });
    return { kind: "ok", trace: { ...trace, reverted } } as const;
  };
  using api = await explorerApi([BLOCK], { tracing: { traceOne } as QueryContext["tracing"] });
  return await api.get(`trace?transaction=0x${HASH}`);
}

test("a trace has the calls of a reverted execution, with gas and the way to the one at fault", async () => {
  const inner = fakeCall({ contractAddress: 0xc0n, failed: true, result: [0x7n] });
  const root = fakeCall({ contractAddress: 0x5en, failed: true, innerCalls: [inner] });
  const callGas = new Map([
    [root, { l1Gas: 0n, l2Gas: 30n }],
    [inner, { l1Gas: 0n, l2Gas: 10n }],
  ]);
  const { status, body } = await answerWith({ root, path: [0], callGas, sizeBytes: 0, felts: 1 });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    trace: { type: "INVOKE", execute_invocation: { revert_reason: "too much" } },
    reverted: {
      path: [0],
      invocation: {
        contract_address: "0x5e",
        is_reverted: true,
        execution_resources: { l1_gas: 0, l2_gas: 30 },
        calls: [
          {
            contract_address: "0xc0",
            is_reverted: true,
            result: ["0x7"],
            execution_resources: { l1_gas: 0, l2_gas: 10 },
          },
        ],
      },
    },
  });
});

test("calls that are too large are left away", async () => {
  const { body } = await answerWith("too_large");
  expect(body).toMatchObject({ reverted: { invocation: null, path: null } });
});

test("a trace of an execution that was not reverted has no such calls", async () => {
  expect((await answerWith(null)).body).toMatchObject({ reverted: null });
});

test("a transaction in no block is answered with 404", async () => {
  using api = await explorerApi([BLOCK]);
  const { status, body } = await api.get("trace?transaction=0x1");
  expect([status, body]).toEqual([404, { error: { message: "transaction 0x1 is in no block" } }]);
});
