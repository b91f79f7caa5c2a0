import { afterAll, describe, expect, test } from "bun:test";
import { RpcProvider } from "starknet";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { serveSample } from "#test/helpers/sample-server.ts";

const server = await serveSample({
  context: sampleContext({
    execution: {
      call: (_state, _info, { calldata }) => ({ kind: "ok", retdata: calldata }),
      estimateFee: () => ({ kind: "cancelled" }),
    },
  }),
});

afterAll(() => server.stop());

describe("starknet.js reads", () => {
  const provider = new RpcProvider({
    nodeUrl: `http://127.0.0.1:${server.port}/rpc/v0_10`,
    specVersion: "0.10.2",
  });

  test("the version of the specification", async () => {
    expect(await provider.getSpecVersion()).toBe("0.10.2");
  });

  test("the chain id", async () => {
    expect(await provider.getChainId()).toBe("0x534e5f54455354" as never);
  });

  test("the block number", async () => {
    expect(await provider.getBlockNumber()).toBe(1);
  });

  test("a block with transaction hashes", async () => {
    expect(await provider.getBlockWithTxHashes("latest")).toMatchObject({
      transactions: ["0x200"],
    });
  });

  test("the pre-confirmed block with receipts", async () => {
    expect(await provider.getBlockWithReceipts("pre_confirmed")).toMatchObject({
      block_number: 2,
    });
  });

  test("a storage value", async () => {
    expect(await provider.getStorageAt("0xc0", "0x10", "latest")).toMatchObject({
      value: "0x222",
    });
  });

  test("a nonce", async () => {
    expect(await provider.getNonceForAddress("0xc0")).toBe("0x2");
  });

  test("a receipt", async () => {
    const receipt = await provider.getTransactionReceipt("0x200");
    expect(receipt.isReverted()).toBe(true);
  });

  test("a class", async () => {
    expect(await provider.getClassAt("0xc0")).toMatchObject({ contract_class_version: "0.1.0" });
  });

  test("the result of a call", async () => {
    const call = { contractAddress: "0xc0", entrypoint: "echo", calldata: ["5"] };
    expect(await provider.callContract(call)).toEqual(["0x5"]);
  });

  test("an error with its message", async () => {
    const failure = await provider.getClassHashAt("0x99", "latest").catch((error: Error) => error);
    expect(String(failure)).toContain("Contract not found");
  });
});
