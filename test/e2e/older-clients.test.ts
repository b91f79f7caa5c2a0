import { describe, expect, test } from "bun:test";
import { Account as AccountV6, constants, hash, RpcProvider as ProviderV6 } from "starknet-v6";
import { Account as AccountV7, RpcProvider as ProviderV7 } from "starknet-v7";
import { rawCall } from "#test/helpers/binary.ts";
import { ONE_TOKEN, STRK, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

const RECIPIENT = "0x1234567890";
const TRANSFER = hash.getSelectorFromName("Transfer");

const chain = useChain();

/** Clients with the newest specification version that they support. */
const CLIENTS = [
  {
    name: "starknet.js 7.6.4 over /rpc/v0_8",
    version: "0.8.1",
    open(index: number) {
      const { address, private_key: key } = chain.accounts[index] ?? {
        address: "",
        private_key: "",
      };
      const provider = new ProviderV7({ nodeUrl: `${chain.url}/rpc/v0_8` });
      const account = new AccountV7(provider, address, key, "1", "0x3");
      return { provider, account };
    },
  },
  {
    name: "starknet.js 6.24.1 over /rpc/v0_7",
    version: "0.7.1",
    open(index: number) {
      const { address, private_key: key } = chain.accounts[index] ?? {
        address: "",
        private_key: "",
      };
      const provider = new ProviderV6({ nodeUrl: `${chain.url}/rpc/v0_7` });
      const account = new AccountV6(provider, address, key, "1", constants.TRANSACTION_VERSION.V3);
      return { provider, account };
    },
  },
];

describe.each(CLIENTS)("$name", ({ version, open }) => {
  const index = version === "0.8.1" ? 0 : 1;

  test("is served its specification version", async () => {
    expect(await open(index).provider.getSpecVersion()).toBe(version);
  });

  test("reads an account", async () => {
    const { account, provider } = open(index);
    expect(BigInt(await account.getNonce())).toBe(0n);
    const classHash = await provider.getClassHashAt(account.address);
    const byAddress = await provider.getClassAt(account.address);
    expect(byAddress).toEqual((await provider.getClass(classHash)) as never);
    expect(byAddress.abi.length).toBeGreaterThan(0);
  });

  test("estimates and sends a transfer, and finds its receipt, status and events", async () => {
    const { account, provider } = open(index);
    const call = transferCall(RECIPIENT, ONE_TOKEN);
    const { suggestedMaxFee } = await account.estimateInvokeFee(call);
    expect(suggestedMaxFee).toBeGreaterThan(0n);
    const { transaction_hash } = await account.execute(call);
    const receipt = await provider.waitForTransaction(transaction_hash, { retryInterval: 50 });
    expect(receipt.isSuccess()).toBe(true);
    expect(await provider.getTransactionStatus(transaction_hash)).toMatchObject({
      finality_status: "ACCEPTED_ON_L2",
      execution_status: "SUCCEEDED",
    });
    expect(await provider.getTransactionByHash(transaction_hash)).toMatchObject({
      type: "INVOKE",
      version: "0x3",
    });
    const { events } = await provider.getEvents({
      from_block: { block_number: 0 },
      // In these versions a transaction of the pending block counts as accepted.
      to_block: "pending",
      address: STRK,
      keys: [[TRANSFER], [account.address]],
      chunk_size: 10,
    });
    // Events of the transfer and of its fee.
    expect(events.map((event) => event.transaction_hash)).toEqual([
      transaction_hash,
      transaction_hash,
    ]);
    expect(BigInt(await account.getNonce())).toBe(1n);
  });

  test("reads blocks, including the pending one", async () => {
    const { provider } = open(index);
    const latest = await provider.getBlockLatestAccepted();
    const pending = await provider.getBlockWithTxs("pending");
    expect("block_number" in pending).toBe(false);
    const known = await provider.getBlockWithTxHashes(latest.block_number);
    expect(known).toMatchObject({ block_hash: latest.block_hash });
    expect(await provider.getBlockWithReceipts("latest")).toHaveProperty("transactions");
    expect(await provider.getStateUpdate("latest")).toHaveProperty("state_diff");
  });
});

describe("transactions with a single maximum fee", () => {
  test("are rejected by a newer protocol, in every version", async () => {
    const invoke = {
      type: "INVOKE",
      version: "0x1",
      max_fee: "0x1",
      signature: [],
      nonce: "0x0",
      sender_address: chain.accounts[2]?.address,
      calldata: [],
    };
    for (const path of ["/rpc", "/rpc/v0_9", "/rpc/v0_8_1", "/rpc/v0.7.1"]) {
      const answer = await rawCall(`${chain.url}${path}`, "starknet_addInvokeTransaction", [
        invoke,
      ]);
      expect(answer.error?.code).toBe(61);
    }
  });

  test("are included by an older protocol, and paid in ETH", async () => {
    const old = await start({
      args: ["--chain-config-override", "latest_protocol_version=0.13.4"],
    });
    const { address = "", private_key: key = "" } = old.accounts[0] ?? {};
    const provider = new ProviderV6({ nodeUrl: `${old.url}/rpc/v0_7` });
    // The client's name for versions before 3: 2 for declarations, 1 for everything else.
    const account = new AccountV6(provider, address, key, "1", constants.TRANSACTION_VERSION.V2);
    const { unit } = await account.estimateInvokeFee(transferCall(RECIPIENT, ONE_TOKEN));
    expect(unit).toBe("WEI");
    const { transaction_hash } = await account.execute(transferCall(RECIPIENT, ONE_TOKEN));
    const receipt = await provider.waitForTransaction(transaction_hash, { retryInterval: 50 });
    expect(receipt.isSuccess()).toBe(true);
    expect(receipt.value).toMatchObject({ actual_fee: { unit: "WEI" } });
    expect(await provider.getTransactionByHash(transaction_hash)).toMatchObject({
      version: "0x1",
    });
  });
});
