import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { DevnetProvider } from "starknet-devnet";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { HonestLoad } from "#test/helpers/honest-load.ts";
import { strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useChain, useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

interface Block {
  readonly block_hash: string;
  readonly block_number: number;
  readonly new_root: string;
}

const RECIPIENT = "0x77";

const blockOf = (chain: RunningChain, id: unknown = "latest"): Promise<Block> =>
  resultOf(chain, "starknet_getBlockWithTxHashes", [id]);

async function grow(chain: RunningChain, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) {
    const { transaction_hash: hash } = await chain.account(0).execute(transferCall(RECIPIENT, 1n));
    await chain.provider.waitForTransaction(hash, { retryInterval: 10 });
    await resultOf(chain, "devnet_createBlock");
  }
}

describe("a chain that keeps little history", () => {
  const chain = useChain({ args: ["--keep-proofs", "2", "--prune-history", "16"] });

  test("rejects requests for pruned state with the oldest block, and serves old blocks", async () => {
    await grow(chain, 20);
    const latest = (await blockOf(chain)).block_number;
    const oldest = latest - 15;
    const nonceAt = (block_number: number) =>
      rawCall(chain.url, "starknet_getNonce", [{ block_number }, chain.account(0).address]);
    expect(await nonceAt(oldest)).toHaveProperty("result");
    const gone = `the state of block ${oldest - 1} is not kept any more; the oldest block with state is ${oldest}`;
    expect((await nonceAt(oldest - 1)).error).toMatchObject({ code: 24, data: gone });
    const traced = { block_number: oldest };
    expect(
      (await rawCall(chain.url, "starknet_traceBlockTransactions", [traced])).error,
    ).toMatchObject({ code: 24, data: gone });
    const next = { block_number: oldest + 1 };
    expect(await rawCall(chain.url, "starknet_traceBlockTransactions", [next])).toHaveProperty(
      "result",
    );
    expect((await blockOf(chain, { block_number: 1 })).block_number).toBe(1);
    expect(
      await rawCall(chain.url, "starknet_getStateUpdate", [{ block_number: 1 }]),
    ).toHaveProperty("result");
  }, 60_000);

  test("can be reverted past its proofs, and continues", async () => {
    const latest = (await blockOf(chain)).block_number;
    const target = await blockOf(chain, { block_number: latest - 9 });
    const balance = await strkBalance(chain.provider, RECIPIENT);
    const devnet = new DevnetProvider({ url: chain.url });
    const { aborted } = await devnet.abortBlocks(latest - 8);
    expect(aborted).toHaveLength(9);
    expect(await blockOf(chain)).toEqual(target);
    const left = await strkBalance(chain.provider, RECIPIENT);
    expect(left).toBeLessThan(balance);
    await grow(chain, 1);
    expect(await strkBalance(chain.provider, RECIPIENT)).toBe(left + 1n);
    const { error } = await rawCall(chain.url, "devnet_abortBlocks", {
      starting_block_id: { block_number: 2 },
    });
    // Only the reason, without the thread that rejected the request.
    expect(error).toMatchObject({
      code: 24,
      data: expect.stringMatching(
        /^the state of block 1 is not kept any more; the oldest block with state is \d+\.?$/i,
      ),
    });
    await grow(chain, 1);
  }, 60_000);

  test("starts again after a kill with the same history", async () => {
    const before = await blockOf(chain);
    await chain.stop("SIGKILL");
    await chain.start({});
    expect(await blockOf(chain, { block_number: before.block_number })).toEqual(before);
    const { error } = await rawCall(chain.url, "starknet_getNonce", [
      { block_number: 1 },
      chain.account(0).address,
    ]);
    expect(error?.code).toBe(24);
    await grow(chain, 1);
  }, 60_000);
});

test("a chain without new blocks prunes its history after a change of retention", async () => {
  const chain = await start({
    args: ["--keep-proofs", "archive", "--block-generation-on", "demand"],
  });
  for (let i = 0; i < 20; i++) await resultOf(chain, "devnet_createBlock");
  const latest = (await blockOf(chain)).block_number;
  await chain.stop();
  await chain.start({
    args: [..."--keep-proofs 1 --prune-history 16 --block-generation-on demand".split(" ")],
  });
  const nonceAt = (block_number: number) =>
    rawCall(chain.url, "starknet_getNonce", [{ block_number }, chain.account(0).address]);
  while ((await nonceAt(latest - 16)).error === undefined) await Bun.sleep(20);
  expect((await blockOf(chain)).block_number).toBe(latest);
  const database = new Database(chain.folder.file("chain.db"), { readonly: true });
  const removed = () => database.query("select count(*) as n from trie_removed").get();
  while (!Bun.deepEquals(removed(), { n: 0 })) await Bun.sleep(20);
  database.close();
}, 60_000);

/** Number of blocks that proofs must have been served for. */
const BLOCKS = bySize({ quick: 4, full: 10 });
/** Minimum number of proofs that each client requests. */
const QUESTIONS = bySize({ quick: 15, full: 60 });

test("the newest block has proofs under load, also when only one block's proofs are kept", async () => {
  const chain = await start({ args: "--keep-proofs 1 --block-time 30ms".split(" ") });
  const load = new HonestLoad(chain, {
    chainId: "APPCHAIN_DEVNET",
    transfersPerSecond: bySize({ quick: 15, full: 100 }),
    accounts: 8,
  });
  load.start();
  const contracts = chain.accounts.map(({ address }) => address);
  const refused: unknown[] = [];
  const blocks = new Set<unknown>();
  const ask = async (): Promise<void> => {
    for (let i = 0; i < QUESTIONS || blocks.size <= BLOCKS; i++) {
      const { result, error } = await rawCall(chain.url, "starknet_getStorageProof", {
        block_id: "latest",
        contract_addresses: contracts,
      });
      if (error !== undefined) refused.push(error);
      const proof = result as { global_roots: { block_hash: string } } | undefined;
      blocks.add(proof?.global_roots.block_hash);
    }
  };
  await Promise.all(Array.from({ length: 6 }, ask));
  expect((await load.stop()).errors).toEqual([]);
  expect(refused).toEqual([]);
  expect(blocks.size).toBeGreaterThan(BLOCKS);
}, 120_000);
