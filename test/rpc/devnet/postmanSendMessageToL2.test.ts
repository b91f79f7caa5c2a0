import { describe, expect, test } from "bun:test";
import { DevnetFault } from "#api/rpc/index.ts";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_postmanSendMessageToL2";
const PARAMS = {
  l2_contract_address: "0xc0",
  entry_point_selector: "0x12",
  l1_contract_address: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
  payload: ["0x1", "0x2"],
  paid_fee_on_l1: "0x123456abcdef",
  nonce: "0x3",
};

describe(METHOD, () => {
  test("executes the message and returns its transaction hash", async () => {
    const { context, calls } = devnetWorld();
    expect(await askDevnet(METHOD, PARAMS, context)).toEqual({
      result: { transaction_hash: "0x315" },
    });
    const message = {
      l2ContractAddress: 0xc0n,
      l1ContractAddress: 0xe7f1725e7734ce288f8367e1bb143e90bb3f0512n,
      entryPointSelector: 0x12n,
      payload: [1n, 2n],
      nonce: 3n,
      paidFeeOnL1: 0x123456abcdefn,
    };
    expect(calls).toEqual([["sendMessage", { ...message, l1TransactionHash: null }]]);
    const hash = `0x${"f".repeat(64)}`;
    await askDevnet(METHOD, { ...PARAMS, l1_transaction_hash: hash }, context);
    expect(calls[1]).toEqual(["sendMessage", { ...message, l1TransactionHash: (1n << 256n) - 1n }]);
  });

  test("rejects an unknown contract, and passes on the executor's reason", async () => {
    const answer = await askDevnet(METHOD, { ...PARAMS, l2_contract_address: "0x99" });
    expect(answer).toEqual({ error: { code: 20, message: "Contract not found" } });
    const { context } = devnetWorld({
      sendMessage: () => Promise.reject(new DevnetFault("the same message")),
    });
    expect(await askDevnet(METHOD, PARAMS, context)).toEqual({
      error: { code: -1, message: "the same message" },
    });
  });

  test("rejects invalid parameters", async () => {
    const wrong = {
      l2_contract_address: `0x8${"0".repeat(62)}`,
      entry_point_selector: 18,
      l1_contract_address: `0x1${"0".repeat(40)}`,
      paid_fee_on_l1: `0x1${"0".repeat(32)}`,
      nonce: "3",
      l1_transaction_hash: `0x1${"0".repeat(64)}`,
    };
    for (const [name, value] of Object.entries(wrong)) {
      expect(await refusedPath(METHOD, { ...PARAMS, [name]: value })).toBe(name);
    }
    expect(await refusedPath(METHOD, { ...PARAMS, payload: ["0x1", "x"] })).toBe("payload[1]");
    const long = Array.from({ length: 4_001 }, () => "0x1");
    expect(await refusedPath(METHOD, { ...PARAMS, payload: long })).toBe("payload");
  });
});
