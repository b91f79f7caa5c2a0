import { expect, test } from "bun:test";
import { RpcFault } from "#api/rpc/errors.ts";
import { SPEC_0_9_0 } from "#api/rpc/spec/v0_9/index.ts";
import { fakeDiff } from "#test/helpers/fake-chain.ts";
import { ask, resultOf } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";

const VERSION = "0.9.0";
const here = (method: string, params: readonly unknown[]) =>
  resultOf(method, params as never, sampleContext(), VERSION);

test("version 0.9.0 block headers have no commitments and counts", async () => {
  const block = (await here("getBlockWithTxHashes", ["latest"])) as Record<string, unknown>;
  expect(Object.keys(block).filter((name) => /commitment|count|length/.test(name))).toEqual([]);
  expect(block).toMatchObject({ block_number: 1, block_hash: "0xb10c1", parent_hash: "0xb10c0" });
});

test("version 0.9.0 state diffs have no migrated classes", () => {
  const stateDiff = fakeDiff({ migratedCompiledClasses: new Map([[1n, 2n]]) });
  const written = SPEC_0_9_0.stateUpdate({ oldRoot: 7n, stateDiff }) as Record<string, object>;
  expect(Object.keys(written["state_diff"] ?? {})).not.toContain("migrated_compiled_classes");
  expect(written).toMatchObject({ old_root: "0x7" });
});

test("version 0.9.0 rejects parameters that were added later", async () => {
  for (const [method, params] of [
    ["getBlockWithTxs", ["latest", []]],
    ["getBlockWithReceipts", ["latest", []]],
    ["getStateUpdate", ["latest", []]],
    ["getStorageAt", ["0xc0", "0x10", "latest", []]],
    ["getTransactionByHash", ["0x200", []]],
    ["getTransactionByBlockIdAndIndex", ["latest", 0, []]],
    ["traceBlockTransactions", ["latest", []]],
  ] as const) {
    const answer = await ask(method, params as never, sampleContext(), VERSION);
    const path = `[${params.length - 1}]`;
    expect(answer).toMatchObject({ error: { code: -32602, data: { path } } });
  }
});

test("version 0.9.0 has its own message for ENTRYPOINT_NOT_FOUND", () => {
  expect(SPEC_0_9_0.error(new RpcFault("ENTRYPOINT_NOT_FOUND"), "call")).toEqual({
    code: 21,
    message: "Requested entrypoint does not exist in the contract",
  });
});

test("version 0.9.0 reports CONTRACT_NOT_FOUND as a contract error where a method does not have it", () => {
  const fault = new RpcFault("CONTRACT_NOT_FOUND");
  expect(SPEC_0_9_0.error(fault, "getNonce")).toEqual({ code: 20, message: "Contract not found" });
  expect(SPEC_0_9_0.error(fault, "estimateMessageFee")).toEqual({
    code: 40,
    message: "Contract error",
    data: { revert_error: "Contract not found" },
  });
});

test("version 0.9.0 reports INVALID_PROOF as UNEXPECTED_ERROR with an explanation", () => {
  expect(SPEC_0_9_0.error(new RpcFault("INVALID_PROOF", "no"), "addInvokeTransaction")).toEqual({
    code: 63,
    message: "An unexpected error occurred",
    data: "The proof field in the invoke v3 transaction is invalid: no",
  });
});
