import { describe, expect, test } from "bun:test";
import type { JsonObject } from "#base/codec/index.ts";
import type { HashedTransaction } from "#protocol/chain/index.ts";
import { EVERY_TRANSACTION } from "#test/helpers/sample-chain.ts";
import { tableOf } from "#test/helpers/rpc.ts";

const call = (calls: readonly JsonObject[]): JsonObject => ({
  contract_address: "0x1",
  calls: [...calls],
  execution_resources: { l1_gas: 1, l2_gas: 2 },
  is_reverted: false,
});

const TRACE: JsonObject = {
  type: "INVOKE",
  validate_invocation: call([]),
  execute_invocation: call([call([])]),
  state_diff: { nonces: [], migrated_compiled_classes: [] },
  execution_resources: { l1_gas: 1, l1_data_gas: 64, l2_gas: 2 },
};

const handlerOf = (): HashedTransaction => {
  const transaction = EVERY_TRANSACTION.find(({ type }) => type === "L1_HANDLER");
  return { hash: 1n, transaction: transaction ?? expect.unreachable() };
};

function encoded(version: string, json: JsonObject): JsonObject {
  const handler = () => ({ transaction: handlerOf(), classHash: 0xc1a55n });
  return tableOf(version).spec.originTrace({ json, handler }) as JsonObject;
}

describe("a trace of a fork's origin", () => {
  test("is unchanged in the newest version", () => {
    expect(encoded("0.10.2", TRACE)).toEqual(TRACE);
  });

  test("gets the list of migrated classes that an older origin does not have", () => {
    const older = { ...TRACE, state_diff: { nonces: [] } };
    expect(encoded("0.10.2", older)).toEqual(TRACE);
  });

  test.each(["0.9.0", "0.8.1"])("has no migrated classes in version %s", (version) => {
    expect(encoded(version, TRACE)["state_diff"]).toEqual({ nonces: [] });
  });

  test("of a reverted L1 handler shows the call in version 0.8.1", () => {
    const reverted = { type: "L1_HANDLER", function_invocation: { revert_reason: "no" } };
    expect(encoded("0.9.0", reverted)).toEqual(reverted);
    expect(encoded("0.8.1", reverted)["function_invocation"]).toMatchObject({
      class_hash: "0xc1a55",
      entry_point_type: "L1_HANDLER",
      is_reverted: true,
    });
  });

  test("has steps in place of gas in version 0.7.1, in inner calls too", () => {
    const used = { steps: 1 };
    const inner = { contract_address: "0x1", calls: [], execution_resources: used };
    expect(encoded("0.7.1", TRACE)).toEqual({
      type: "INVOKE",
      validate_invocation: inner,
      execute_invocation: { ...inner, calls: [inner] },
      state_diff: { nonces: [] },
      execution_resources: { ...used, data_availability: { l1_gas: 0, l1_data_gas: 64 } },
    });
  });

  test("of a reverted transaction keeps the reason in version 0.7.1", () => {
    const reverted = { ...TRACE, execute_invocation: { revert_reason: "no" } };
    expect(encoded("0.7.1", reverted)["execute_invocation"]).toEqual({ revert_reason: "no" });
  });
});
