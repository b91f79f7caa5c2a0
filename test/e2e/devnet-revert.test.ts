import { beforeAll, describe, expect, test } from "bun:test";
import { DevnetProvider } from "starknet-devnet";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { ONE_TOKEN, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

/** Number of consecutive reverts of the newest block. */
const REVERTS = bySize({ quick: 2, full: 5 });

interface Block {
  readonly block_hash: string;
  readonly block_number: number;
  readonly parent_hash: string;
  readonly new_root: string;
  readonly timestamp: number;
}

const blockOf = (chain: RunningChain, id: unknown = "latest"): Promise<Block> =>
  resultOf(chain, "starknet_getBlockWithTxHashes", [id]);

/** Sends a transfer and waits until it is in an accepted block. */
async function transfer(chain: RunningChain, index: number, to: string): Promise<string> {
  const { transaction_hash: hash } = await chain.account(index).execute(transferCall(to, 7n));
  await chain.provider.waitForTransaction(hash, { retryInterval: 20 });
  await resultOf(chain, "devnet_createBlock");
  return hash;
}

describe("a chain that is reverted while it runs", () => {
  const chain = useChain();
  let devnet: DevnetProvider;

  beforeAll(async () => {
    devnet = new DevnetProvider({ url: chain.url });
  }, 60_000);

  test("loses the effects of aborted blocks and continues without them", async () => {
    const genesis = await blockOf(chain);
    const first = await transfer(chain, 0, "0x77");
    const kept = await blockOf(chain);
    const second = await transfer(chain, 0, "0x77");
    const last = await blockOf(chain);
    expect(await strkBalance(chain.provider, "0x77")).toBe(14n);
    const { aborted } = await devnet.abortBlocks(kept.block_number + 1);
    expect(aborted).toHaveLength(last.block_number - kept.block_number);
    expect(aborted[0]).toBe(last.block_hash);
    expect(await blockOf(chain)).toEqual(kept);
    expect((await rawCall(chain.url, "starknet_getTransactionReceipt", [second])).error?.code).toBe(
      29,
    );
    expect(
      (await rawCall(chain.url, "starknet_getBlockWithTxHashes", [{ block_hash: last.block_hash }]))
        .error?.code,
    ).toBe(24);
    expect(await resultOf(chain, "starknet_getTransactionReceipt", [first])).toHaveProperty(
      "block_number",
    );
    expect(await strkBalance(chain.provider, "0x77")).toBe(7n);
    // The nonce of the reverted transaction is free again.
    await transfer(chain, 0, "0x78");
    expect(await strkBalance(chain.provider, "0x78")).toBe(7n);
    await devnet.abortBlocks(1);
    expect(await blockOf(chain)).toEqual(genesis);
  }, 60_000);

  test("aborts only the block being built for pre_confirmed", async () => {
    const latest = await blockOf(chain);
    expect((await devnet.abortBlocks("pre_confirmed")).aborted).toEqual([]);
    expect(await blockOf(chain)).toEqual(latest);
  }, 60_000);

  test("keeps answering requests during a restart", async () => {
    await transfer(chain, 1, "0x79");
    const asked = Array.from({ length: 50 }, (_, i) =>
      rawCall(
        chain.url,
        i % 2 === 0 ? "starknet_chainId" : "starknet_getBlockWithTxs",
        i % 2 === 0 ? [] : ["latest"],
      ),
    );
    const sent = chain.account(2).execute(transferCall("0x79", 1n));
    const [answers] = await Promise.all([
      Promise.all(asked),
      sent.catch((error: unknown) => expect(String(error)).toContain("was reverted")),
      devnet.restart(),
    ]);
    for (const { error } of answers) expect(error).toBeUndefined();
  }, 60_000);

  test("resets time, accounts and transactions at a restart", async () => {
    await devnet.setTime(4_000_000_000);
    await transfer(chain, 0, "0x80");
    await devnet.restart();
    const genesis = await blockOf(chain);
    expect(genesis.block_number).toBe(0);
    expect(await strkBalance(chain.provider, "0x80")).toBe(0n);
    const accounts = await devnet.getPredeployedAccounts({ withBalance: true });
    expect(accounts[0]?.balance?.["strk"]?.amount).toBe(String(1000n * ONE_TOKEN));
    await transfer(chain, 0, "0x80");
    expect((await blockOf(chain)).timestamp).toBeLessThan(4_000_000_000);
    expect(await strkBalance(chain.provider, "0x80")).toBe(7n);
  }, 60_000);

  test("survives repeated reverts followed by a kill", async () => {
    for (let i = 0; i < REVERTS; i++) {
      await transfer(chain, 3, "0x81");
      await devnet.abortBlocks("latest");
    }
    await transfer(chain, 3, "0x82");
    const before = await blockOf(chain);
    await chain.stop("SIGKILL");
    await chain.start({});
    expect(await blockOf(chain, { block_number: before.block_number })).toEqual(before);
    expect(await strkBalance(chain.provider, "0x82")).toBe(7n);
  }, 60_000);
});

test("a restart restores a genesis whose state is pruned, and resets acceptance on L1", async () => {
  const chain = await start({ args: ["--prune-history", "16", "--keep-proofs", "1"] });
  const genesis = await blockOf(chain);
  for (let i = 0; i < 20; i++) await resultOf(chain, "devnet_createBlock");
  await chain.account(0).execute(transferCall("0x77", 7n));
  const gone = await rawCall(chain.url, "starknet_getNonce", [{ block_number: 0 }, "0x1"]);
  expect(JSON.stringify(gone.error?.data)).toContain("oldest");
  await resultOf(chain, "devnet_acceptOnL1", ["latest"]);
  await resultOf(chain, "devnet_restart");
  const again = await resultOf<Block & { status: string }>(chain, "starknet_getBlockWithTxHashes", [
    "latest",
  ]);
  expect(again).toEqual({ ...genesis, status: "ACCEPTED_ON_L2" });
  expect(await strkBalance(chain.provider, "0x77")).toBe(0n);
  await transfer(chain, 0, "0x77");
  expect(await strkBalance(chain.provider, "0x77")).toBe(7n);
}, 60_000);
