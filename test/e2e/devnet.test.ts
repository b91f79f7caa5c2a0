import { beforeAll, describe, expect, test } from "bun:test";
import { DevnetProvider } from "starknet-devnet";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { ETH, ONE_TOKEN, STRK, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

const L1_CONTRACT = "0x8359E4B0152ed5A731162D3c7B0D8D56edB165A0";

interface Block {
  readonly block_hash: string;
  readonly block_number: number;
  readonly timestamp: number;
  readonly status: string;
  readonly transactions: readonly string[];
  readonly l2_gas_price: { readonly price_in_fri: string };
  readonly l1_gas_price: { readonly price_in_fri: string };
}

const blockOf = (chain: RunningChain, id: unknown = "latest"): Promise<Block> =>
  resultOf(chain, "starknet_getBlockWithTxHashes", [id]);

describe("the client starknet-devnet", () => {
  const chain = useChain();
  let devnet: DevnetProvider;

  beforeAll(async () => {
    devnet = new DevnetProvider({ url: chain.url });
  }, 60_000);

  test("reads that the chain is alive, and its settings", async () => {
    const response = await fetch(`${chain.url}/is_alive`);
    expect([response.status, await response.text()]).toEqual([200, "Alive!!!"]);
    expect(await devnet.getConfig()).toMatchObject({
      chain_id: "APPCHAIN_DEVNET",
      total_accounts: 10,
      block_generation_on: "transaction",
    });
  });

  test("lists the funded accounts, and one of them sends", async () => {
    const accounts = await devnet.getPredeployedAccounts({ withBalance: true });
    expect(accounts.map(({ address }) => BigInt(address))).toEqual(
      chain.accounts.map(({ address }) => BigInt(address)),
    );
    const balance = { amount: String(1000n * ONE_TOKEN) };
    expect(accounts[0]?.balance).toEqual({
      strk: { ...balance, unit: "FRI" },
      eth: { ...balance, unit: "WEI" },
    });
    const { transaction_hash: hash } = await chain.account(0).execute(transferCall("0x77", 5n));
    const receipt = await chain.provider.getTransactionReceipt(hash);
    expect(receipt.isSuccess()).toBe(true);
  }, 60_000);

  test("mints through a transaction that everyone can read", async () => {
    const amount = 10n ** 21n;
    const supply = async (): Promise<bigint> => {
      const call = { contractAddress: STRK, entrypoint: "total_supply", calldata: [] };
      const [low = "0", high = "0"] = await chain.provider.callContract(call);
      return BigInt(low) + (BigInt(high) << 128n);
    };
    const before = await supply();
    const minted = await devnet.mint("0x1234", amount);
    expect([minted.new_balance, minted.unit]).toEqual([amount, "FRI"]);
    const receipt = await chain.provider.getTransactionReceipt(minted.tx_hash);
    expect(receipt.isSuccess()).toBe(true);
    expect(await strkBalance(chain.provider, "0x1234")).toBe(amount);
    expect(await resultOf(chain, "devnet_getAccountBalance", { address: "0x1234" })).toEqual({
      amount: String(amount),
      unit: "FRI",
    });
    // The faucet pays the fee from the existing supply.
    expect((await supply()) - before).toBe(amount);
    const again = await devnet.mint("0x1234", 1n << 130n, "WEI");
    expect([again.new_balance, again.unit]).toEqual([1n << 130n, "WEI"]);
    const [low, high] = await chain.provider.callContract({
      contractAddress: ETH,
      entrypoint: "balance_of",
      calldata: ["0x1234"],
    });
    expect([BigInt(low ?? 0), BigInt(high ?? 0)]).toEqual([0n, 4n]);
  }, 60_000);

  test("mints many times concurrently", async () => {
    const minted = await Promise.all(Array.from({ length: 20 }, () => devnet.mint("0x4321", 1n)));
    expect(new Set(minted.map(({ tx_hash: hash }) => hash)).size).toBe(20);
    expect(await strkBalance(chain.provider, "0x4321", "pre_confirmed")).toBe(20n);
  }, 60_000);

  test("gets the reason and the transaction of a failed mint", async () => {
    const failed = await devnet.mint("0x1234", (1n << 256n) - 1n).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: -1, message: "Minting reverted" });
    const { data } = failed as { readonly data: { readonly tx_hash: string } };
    const receipt = await chain.provider.getTransactionReceipt(data.tx_hash);
    expect(receipt.isReverted()).toBe(true);
  }, 60_000);

  test("creates empty blocks", async () => {
    const before = await blockOf(chain);
    const hashes = [await devnet.createBlock(), await devnet.createBlock()];
    const after = await blockOf(chain);
    expect(after.block_number).toBe(before.block_number + 2);
    expect([after.block_hash, after.transactions]).toEqual([hashes[1]?.block_hash ?? "", []]);
  }, 60_000);

  test("sets and increases the time", async () => {
    const time = Math.floor(Date.now() / 1000) + 100_000;
    await devnet.setTime(time);
    const before = await blockOf(chain);
    await devnet.createBlock();
    const next = await blockOf(chain);
    expect([next.block_number, next.timestamp]).toEqual([before.block_number + 1, time]);
    await devnet.increaseTime(5_000);
    const later = (await blockOf(chain)).timestamp;
    expect(later).toBeGreaterThanOrEqual(time + 5_000);
    expect(later).toBeLessThan(time + 5_100);
    const pending = await blockOf(chain, "pre_confirmed");
    expect(pending.timestamp).toBeGreaterThanOrEqual(later);
    await devnet.setTime(later + 50, { generateBlock: true });
    expect((await blockOf(chain)).timestamp).toBe(later + 50);
    const back = devnet.setTime(later).catch((error: unknown) => error);
    expect(await back).toMatchObject({ code: -32602, data: { path: "time" } });
  }, 60_000);

  test("sets gas prices that the next estimate uses", async () => {
    const set = await devnet.setGasPrice({ l1GasPrice: 7n, l2GasPrice: 123_456n });
    expect([set.l1_gas_price, set.l2_gas_price]).toEqual([7n, 123_456n]);
    const account = chain.account(1);
    const estimate = await account.estimateInvokeFee(transferCall("0x77", 1n));
    expect(estimate.resourceBounds.l2_gas.max_price_per_unit).toBeGreaterThanOrEqual(123_456n);
    const { transaction_hash: hash } = await account.execute(transferCall("0x77", 1n));
    await chain.provider.getTransactionReceipt(hash);
    const { l1_gas_price: l1, l2_gas_price: l2 } = await blockOf(chain);
    expect([l1.price_in_fri, l2.price_in_fri]).toEqual(["0x7", "0x1e240"]);
  }, 60_000);

  test("sends an L1 message, also one that reverts, into a block", async () => {
    const token = STRK;
    const { transaction_hash: hash } = await devnet.postman.sendMessageToL2(
      token,
      "0x12",
      L1_CONTRACT,
      [1, 2],
      0,
      1000,
    );
    const transaction = await resultOf<Record<string, unknown>>(
      chain,
      "starknet_getTransactionByHash",
      [hash],
    );
    expect(transaction).toMatchObject({ type: "L1_HANDLER", nonce: "0x0", contract_address: STRK });
    await devnet.createBlock();
    // The token has no handler: the message reverts, and is in the block nevertheless.
    expect(await resultOf(chain, "starknet_getTransactionReceipt", [hash])).toMatchObject({
      type: "L1_HANDLER",
      execution_status: "REVERTED",
      finality_status: "ACCEPTED_ON_L2",
    });
    const again = devnet.postman.sendMessageToL2(token, "0x12", L1_CONTRACT, [1, 2], 0, 1000);
    expect(await again.catch((error: unknown) => error)).toMatchObject({ code: -1 });
    const nowhere = devnet.postman.sendMessageToL2("0x99", "0x12", L1_CONTRACT, [], 1, 1);
    expect(await nowhere.catch((error: unknown) => error)).toMatchObject({ code: 20 });
  }, 60_000);

  test("finds a message by its L1 transaction hash", async () => {
    const l1Hash = `0x${"ab".repeat(32)}`;
    const params = {
      l2_contract_address: STRK,
      entry_point_selector: "0x12",
      l1_contract_address: L1_CONTRACT,
      payload: [],
      paid_fee_on_l1: "0x1",
      nonce: "0x5",
      l1_transaction_hash: l1Hash,
    };
    const { transaction_hash: hash } = await resultOf<{ transaction_hash: string }>(
      chain,
      "devnet_postmanSendMessageToL2",
      params,
    );
    await devnet.createBlock();
    const status = await resultOf<unknown[]>(chain, "starknet_getMessagesStatus", [l1Hash]);
    expect(status).toMatchObject([{ transaction_hash: hash, finality_status: "ACCEPTED_ON_L2" }]);
  }, 60_000);

  test("has no messages to consume if none were sent", async () => {
    const consumed = devnet.postman.consumeMessageFromL2(STRK, L1_CONTRACT, [1]);
    expect(await consumed.catch((error: unknown) => error)).toMatchObject({ code: -1 });
    expect(await devnet.postman.flush()).toEqual({
      messages_to_l1: [],
      messages_to_l2: [],
      generated_l2_transactions: [],
      l1_provider: "mock",
    });
  }, 60_000);

  test("marks blocks as accepted on L1", async () => {
    const { block_number: number, block_hash: hash } = await blockOf(chain);
    const params = { starting_block_id: "latest" };
    const { accepted } = await resultOf<{ accepted: string[] }>(chain, "devnet_acceptOnL1", params);
    expect([accepted.length, accepted[0]]).toEqual([number + 1, hash]);
    expect(await blockOf(chain, "l1_accepted")).toMatchObject({ status: "ACCEPTED_ON_L1" });
    const again = await rawCall(chain.url, "devnet_acceptOnL1", params);
    expect(again.error).toEqual({ code: -1, message: "Block already accepted on L1" });
  }, 60_000);

  test("finds the same chain after a kill, and continues it", async () => {
    const before = await blockOf(chain);
    await chain.stop("SIGKILL");
    await chain.start({});
    devnet = new DevnetProvider({ url: chain.url });
    expect(await blockOf(chain, { block_number: before.block_number })).toEqual(before);
    expect(await strkBalance(chain.provider, "0x1234")).toBe(10n ** 21n);
    // The shifted time survives.
    await devnet.createBlock();
    const after = await blockOf(chain);
    expect(after.block_number).toBe(before.block_number + 1);
    expect(after.timestamp).toBeGreaterThanOrEqual(before.timestamp);
    await devnet.increaseTime(1);
    expect((await blockOf(chain)).timestamp).toBeGreaterThan(before.timestamp);
    expect((await devnet.mint("0x1234", 1n)).new_balance).toBe(10n ** 21n + 1n);
  }, 60_000);
});

describe("blocks on demand", () => {
  test("contain everything received when they are requested", async () => {
    const chain = await start({ args: ["--block-generation-on", "demand"] });
    const devnet = new DevnetProvider({ url: chain.url });
    const number = (): Promise<number> => resultOf(chain, "starknet_blockNumber");
    const hashes: string[] = [];
    for (const index of [0, 1, 2]) {
      const sent = await chain.account(index).execute(transferCall("0x77", 1n));
      hashes.push(sent.transaction_hash);
    }
    hashes.push((await devnet.mint("0x5", 9n)).tx_hash);
    const message = await devnet.postman.sendMessageToL2(STRK, "0x1", L1_CONTRACT, [], 0, 1);
    hashes.push(message.transaction_hash);
    await Bun.sleep(200);
    expect(await number()).toBe(0);
    const { block_hash: hash } = await devnet.createBlock();
    const block = await blockOf(chain);
    expect([block.block_number, block.block_hash]).toEqual([1, hash]);
    expect([...block.transactions].sort()).toEqual(hashes.sort());
  }, 60_000);
});

test("another preset has no development methods", async () => {
  const chain = await start({ preset: "sepolia" });
  for (const method of [
    "devnet_getConfig",
    "devnet_mint",
    "devnet_createBlock",
    "dev_generateBlock",
  ]) {
    expect((await rawCall(chain.url, method)).error?.code).toBe(-32601);
  }
  expect((await fetch(`${chain.url}/is_alive`)).status).toBe(404);
}, 60_000);
