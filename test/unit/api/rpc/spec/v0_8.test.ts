import { describe, expect, test } from "bun:test";
import { RpcFault } from "#api/rpc/errors.ts";
import { SPEC_0_8_1 } from "#api/rpc/spec/v0_8/index.ts";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import { fakePending } from "#test/helpers/fake-chain.ts";
import { ask, resultOf } from "#test/helpers/rpc.ts";
import { EMPTY_CHAIN, SAMPLE_CHAIN, sampleContext } from "#test/helpers/sample-chain.ts";

const VERSION = "0.8.1";
const here = (method: string, params: readonly unknown[], context = sampleContext()) =>
  resultOf(method, params as never, context, VERSION) as Promise<Record<string, unknown>>;

describe("pending block in 0.8.1", () => {
  test("has a parent hash, and neither number nor status", async () => {
    const block = await here("getBlockWithTxHashes", ["pending"]);
    expect(block).toMatchObject({ parent_hash: "0xb10c1", transactions: ["0x300"] });
    for (const name of ["block_number", "block_hash", "new_root", "status"]) {
      expect(Object.keys(block)).not.toContain(name);
    }
  });

  test("of an empty chain has the parent hash 0", async () => {
    const view = fakePending(EMPTY_CHAIN, {});
    const context = sampleContext({ chain: EMPTY_CHAIN, pending: () => view });
    const block = await here("getBlockWithTxHashes", ["pending"], context);
    expect(block).toMatchObject({ parent_hash: "0x0" });
    const update = await here("getStateUpdate", ["pending"], context);
    expect(update).toMatchObject({ old_root: "0x0" });
  });

  test("is the block after latest, with the newest state, when several blocks are unaccepted", async () => {
    const lowest = sampleContext().pending();
    const above = fakePending(SAMPLE_CHAIN, { info: { number: 3 } });
    const newest = { ...above, state: { ...above.state, nonceAt: () => 9n } };
    const context = sampleContext({
      pending: () => newest,
      unaccepted: () => [...(lowest === undefined ? [] : [lowest]), newest],
    });
    expect(await here("getBlockTransactionCount", ["pending"], context)).toBe(1 as never);
    expect(await here("getNonce", ["pending", "0xc0"], context)).toBe("0x9" as never);
    expect(await here("getTransactionByHash", ["0x300"], context)).toMatchObject({
      transaction_hash: "0x300",
    });
  });

  test("has receipts that are accepted on L2 and without a block", async () => {
    const receipt = await here("getTransactionReceipt", ["0x300"]);
    expect(receipt).toMatchObject({ finality_status: "ACCEPTED_ON_L2" });
    expect(Object.keys(receipt).filter((name) => name.startsWith("block_"))).toEqual([]);
    const accepted = await here("getTransactionReceipt", ["0x200"]);
    expect(accepted).toMatchObject({ block_number: 1, block_hash: "0xb10c1" });
  });

  test("has receipts that are accepted on L2 in getBlockWithReceipts", async () => {
    expect(await here("getBlockWithReceipts", ["pending"])).toMatchObject({
      transactions: [{ receipt: { finality_status: "ACCEPTED_ON_L2" } }],
    });
  });
});

test("versions reject each other's block tags", async () => {
  const refused = { error: { code: -32602, data: { path: "block_id" } } };
  for (const [tag, version] of [
    ["pre_confirmed", VERSION],
    ["l1_accepted", VERSION],
    ["toString", VERSION],
    ["pending", "0.9.0"],
    ["pending", "0.10.2"],
  ] as const) {
    const answer = await ask("getBlockWithTxHashes", [tag], sampleContext(), version);
    expect(answer).toMatchObject(refused);
  }
});

test("a block's status includes L1 acceptance", async () => {
  expect(await here("getBlockWithTxHashes", [{ block_number: 0 }])).toMatchObject({
    status: "ACCEPTED_ON_L1",
  });
});

test("a state update has its roots", () => {
  const roots = { blockHash: 1n, newRoot: 2n, oldRoot: 3n };
  expect(SPEC_0_8_1.stateUpdate({ ...roots, stateDiff: EMPTY_STATE_DIFF })).toMatchObject({
    block_hash: "0x1",
    new_root: "0x2",
    old_root: "0x3",
  });
});

test("version 0.8.1 errors use its own messages, and substitutes for unknown errors", () => {
  const written = (name: ConstructorParameters<typeof RpcFault>[0]) =>
    SPEC_0_8_1.error(new RpcFault(name, "because"), "addInvokeTransaction");
  expect(written("NON_ACCOUNT").message).toBe("Sender address in not an account contract");
  expect(written("CONTRACT_CLASS_SIZE_IS_TOO_LARGE").message).toBe(
    "Contract class size it too large",
  );
  expect(written("FEE_BELOW_MINIMUM")).toMatchObject({ code: 53, data: "because" });
  expect(written("REPLACEMENT_TRANSACTION_UNDERPRICED")).toMatchObject({
    code: 63,
    data: "Replacement transaction is underpriced: because",
  });
});
