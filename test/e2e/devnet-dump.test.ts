import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Account } from "starknet";
import { DevnetProvider } from "starknet-devnet";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { STRK, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useChain, useStoppedChain } from "#test/helpers/use-chain.ts";
import { useDevnets, type Devnet } from "#test/helpers/use-devnets.ts";

interface Entry {
  readonly jsonrpc: string;
  readonly method: string;
  readonly params: unknown;
  readonly id: unknown;
}

interface Block {
  readonly block_hash: string;
  readonly block_number: number;
  readonly timestamp: number;
  readonly new_root: string;
  readonly transactions: readonly string[];
}

const start = useDevnets();
/** Folder for dump files. */
const folder = useFolder();

const clientOf = ({ url }: RunningChain) => new DevnetProvider({ url, timeout: 60_000 });

const errorOf = async (chain: RunningChain, method: string, params: unknown) =>
  (await rawCall(chain.url, method, params)).error;

/** Reproducible fields of every block above genesis. */
async function blocksOf(chain: RunningChain): Promise<readonly Block[]> {
  const latest = await resultOf<number>(chain, "starknet_blockNumber");
  const numbers = Array.from({ length: latest }, (_, i) => i + 1);
  return Promise.all(
    numbers.map(async (number) => {
      const id = { block_number: number };
      const block = await resultOf<Block>(chain, "starknet_getBlockWithTxHashes", [id]);
      const { block_hash, block_number, timestamp, new_root, transactions } = block;
      return { block_hash, block_number, timestamp, new_root, transactions };
    }),
  );
}

async function stateOf(chain: RunningChain) {
  const [sender] = chain.accounts;
  const address = sender?.address ?? "";
  return {
    blocks: await blocksOf(chain),
    nonce: await chain.provider.getNonceForAddress(address),
    sender: await strkBalance(chain.provider, address),
    receivers: await Promise.all(["0x77", "0x1234"].map((to) => strkBalance(chain.provider, to))),
    written: await resultOf(chain, "starknet_getStorageAt", [STRK, "0x20", "latest"]),
  };
}

async function transfer(chain: RunningChain, index: number, amount: bigint): Promise<string> {
  const { transaction_hash: hash } = await chain
    .account(index)
    .execute(transferCall("0x77", amount));
  await chain.provider.waitForTransaction(hash, { retryInterval: 50 });
  return hash;
}

/** Uses a chain as developers do: transactions, blocks, time, prices, messages, writes. */
async function use({ chain, devnet }: Devnet): Promise<void> {
  await devnet.mint("0x1234", 10n ** 18n);
  await transfer(chain, 0, 5n);
  await devnet.createBlock();
  await devnet.increaseTime(1_000);
  await transfer(chain, 1, 6n);
  const failed = await devnet.mint("0x1234", (1n << 256n) - 1n).catch((error: unknown) => error);
  expect(failed).toMatchObject({ message: "Minting reverted" });
  await devnet.setGasPrice({ l1GasPrice: 1_234n }, true);
  const now = Math.floor(Date.now() / 1000);
  await devnet.setTime(now + 5_000, { generateBlock: true });
  await devnet.setTime(now + 6_000, { generateBlock: false });
  await resultOf(chain, "dev_setStorageAt", [STRK, "0x20", "0xabc"]);
  await transfer(chain, 0, 7n);
  await devnet.postman.sendMessageToL2(
    STRK,
    "0x123",
    "0x8359E4B0152ed5A731162D3c7B0D8D56edB165A0",
    [1],
    3,
    9,
  );
  await Promise.all(Array.from({ length: 8 }, () => devnet.mint("0x1234", 1n)));
  await devnet.createBlock();
  await resultOf(chain, "devnet_acceptOnL1", { starting_block_id: { block_number: 2 } });
}

describe("a dump", () => {
  const existing = useStoppedChain();
  /** Chains that several tests reset: one that dumps on request, and one without dumps. */
  const requested = useChain({ args: ["--dump-on", "request"] });
  const plain = useChain();

  test("reproduces the same chain, from a file and from a response", async () => {
    const first = { chain: requested, devnet: clientOf(requested) };
    await use(first);
    const path = folder.file("dump.json");
    expect(await first.devnet.dump(path)).toBeNull();
    const entries = JSON.parse(readFileSync(path, "utf8")) as Entry[];
    for (const entry of entries) {
      expect(Object.keys(entry)).toEqual(["jsonrpc", "method", "params", "id"]);
    }
    expect(await first.devnet.dump()).toEqual(entries as never);
    const expected = await stateOf(first.chain);
    expect(expected.written).toBe("0xabc");

    const second = await start(["--dump-on", "request"]);
    await second.devnet.mint("0x5555", 1n);
    expect(await second.devnet.load(path)).toEqual({} as never);
    expect(await stateOf(second.chain)).toEqual(expected);
    expect(await strkBalance(second.chain.provider, "0x5555")).toBe(0n);
    expect(
      await resultOf(second.chain, "starknet_getBlockWithTxHashes", ["l1_accepted"]),
    ).toMatchObject({ block_number: 2 });
    // A loaded dump is part of the next dump, and the chain continues.
    expect(await second.devnet.dump()).toEqual(entries as never);
    await transfer(second.chain, 2, 8n);
    const longer = (await second.devnet.dump()) as unknown as Entry[];
    expect(longer.length).toBeGreaterThan(entries.length);

    expect(await resultOf(first.chain, "devnet_load", { dump: longer })).toEqual({});
    expect(await stateOf(first.chain)).toEqual(await stateOf(second.chain));
  }, 120_000);

  test("on exit is loaded by the next start, also on a chain with blocks on demand", async () => {
    const path = folder.file("on-exit.json");
    const args = ["--dump-on", "exit", "--dump-path", path];
    const demand = [...args, "--block-generation-on", "demand"];
    for (const each of bySize({ quick: [demand], full: [args, demand] })) {
      const before = existsSync(path) ? readFileSync(path, "utf8") : "";
      const run = await start(each);
      await run.devnet.mint("0x1234", 1n);
      await run.devnet.mint("0x1234", 2n);
      await run.devnet.createBlock();
      const expected = await stateOf(run.chain);
      expect(await run.chain.stop("SIGINT")).toBe(0);
      expect(readFileSync(path, "utf8").length).toBeGreaterThan(before.length);
      const again = await start(each);
      expect(await stateOf(again.chain)).toEqual(expected);
      expect(await again.chain.stop("SIGTERM")).toBe(0);
    }
  }, 120_000);

  test("after blocks survives a kill", async () => {
    const path = folder.file("after-blocks.json");
    const args = ["--dump-on", "block", "--dump-path", path];
    const run = await start(args);
    await run.devnet.mint("0x1234", 1n);
    await run.devnet.createBlock();
    const expected = await stateOf(run.chain);
    // Each block ends with such an entry.
    const dumpedBlocks = (): number => {
      const entries = JSON.parse(readFileSync(path, "utf8")) as Entry[];
      return entries.filter(({ method }) => method === "devnet_createBlock").length;
    };
    const isDumped = () => existsSync(path) && dumpedBlocks() === expected.blocks.length;
    expect(await untilTrue(isDumped)).toBe(true);
    await run.chain.stop("SIGKILL");
    const again = await start(args);
    expect(await stateOf(again.chain)).toEqual(expected);
  }, 120_000);

  test("leaves the chain before it if the node is killed while it is loaded", async () => {
    const { chain, devnet } = await start([]);
    await devnet.mint("0x1234", 1n);
    const before = await stateOf(chain);
    const mint = { address: "0x77", amount: 1, unit: "FRI" };
    const params = { method: "devnet_mint", params: mint, jsonrpc: "2.0" };
    const dump = Array.from({ length: 5_000 }, (_, id) => ({ ...params, id }));
    const loading = rawCall(chain.url, "devnet_load", { dump }).catch(() => undefined);
    const isLoading = async () => (await strkBalance(chain.provider, "0x77")) > 0n;
    while (!(await isLoading().catch(() => false))) await Bun.sleep(20);
    await chain.stop("SIGKILL");
    await loading;
    await chain.start();
    expect(await stateOf(chain)).toEqual(before);
    await resultOf(chain, "devnet_load", { dump: dump.slice(0, 2) });
    expect(await strkBalance(chain.provider, "0x77")).toBe(2n);
  }, 120_000);

  test("of a chain with a block time reproduces its blocks", async () => {
    const args = ["--dump-on", "request", "--block-generation-on", "1"];
    const run = await start(args);
    await run.devnet.mint("0x1234", 1n);
    while ((await resultOf<number>(run.chain, "starknet_blockNumber")) < 2) await Bun.sleep(50);
    await run.devnet.mint("0x1234", 2n);
    const dump = (await run.devnet.dump()) as unknown as Entry[];
    const expected = await blocksOf(run.chain);
    await resultOf(run.chain, "devnet_load", { dump });
    const loaded = await blocksOf(run.chain);
    const made = dump.filter(({ id }) => id === "appchain:seal").length;
    expect(made).toBeGreaterThanOrEqual(2);
    expect(loaded.slice(0, made)).toEqual(expected.slice(0, made) as Block[]);
    expect(await strkBalance(run.chain.provider, "0x1234", "pre_confirmed")).toBe(3n);
  }, 120_000);

  test("of another program is replayed, and a broken one is rejected", async () => {
    const chain = plain;
    const devnet = clientOf(chain);
    const request = (id: number, method: string, params: unknown): Entry => ({
      jsonrpc: "2.0",
      method,
      params,
      id,
    });
    const mint = { address: "0x1234", amount: 1, unit: "FRI" };
    const dump = [
      request(0, "devnet_createBlock", null),
      request(1, "devnet_mint", mint),
      request(2, "devnet_createBlock", {}),
      request(3, "devnet_mint", mint),
    ];
    const path = folder.file("foreign.json");
    writeFileSync(path, JSON.stringify(dump));
    await devnet.load(path);
    expect(await strkBalance(chain.provider, "0x1234", "pre_confirmed")).toBe(2n);
    const broken = [...dump, request(4, "devnet_increaseTime", { time: "soon" })];
    await devnet.mint("0x1234", 5n);
    const before = await stateOf(chain);
    expect(await errorOf(chain, "devnet_load", { dump: broken })).toMatchObject({
      code: -1,
      message: expect.stringContaining("entry 4 (devnet_increaseTime) cannot be replayed"),
    });
    expect(await stateOf(chain)).toEqual(before);
    expect(await errorOf(chain, "devnet_dump", {})).toMatchObject({
      code: -1,
      message: "Please provide --dump-on mode on startup.",
    });
    expect(await errorOf(chain, "devnet_load", { path: "/nowhere" })).toMatchObject({
      code: -1,
      message: "The file does not exist",
    });
  }, 120_000);

  test("contains transactions of impersonated accounts, and nothing of reverted blocks", async () => {
    const chain = requested;
    const devnet = clientOf(chain);
    await devnet.restart();
    const [, stranger] = chain.accounts;
    const address = stranger?.address ?? "";
    await devnet.mint("0x1234", 1n);
    await devnet.createBlock();
    await devnet.setGasPrice({ l1GasPrice: 77n });
    await devnet.mint("0x1234", 2n);
    const latest = await resultOf<number>(chain, "starknet_blockNumber");
    const from = { block_number: latest };
    await resultOf(chain, "devnet_abortBlocks", { starting_block_id: from });
    await devnet.cheats.impersonateAccount(address);
    const account = new Account({ provider: chain.provider, address, signer: "0x5" });
    const { transaction_hash: hash } = await account.execute(transferCall("0x77", 9n));
    await chain.provider.waitForTransaction(hash, { retryInterval: 50 });
    await devnet.cheats.stopImpersonateAccount(address);
    await devnet.createBlock();
    const expected = await stateOf(chain);
    const dump = (await devnet.dump()) as unknown as Entry[];
    expect(dump.map(({ method }) => method)).not.toContain("devnet_abortBlocks");
    await resultOf(plain, "devnet_load", { dump });
    expect(await stateOf(plain)).toEqual(expected);
  }, 120_000);

  test("that is broken makes the start fail, and is ignored for an existing chain", async () => {
    const path = folder.file("broken.json");
    const broken = '[{"jsonrpc":"2.0","method":"devnet_mint","params":{"address":"0x5"},"id":0}]';
    writeFileSync(path, broken);
    const args = ["--dump-on", "exit", "--dump-path", path];
    const failure: unknown = await existing.start({ args }).catch((error: unknown) => error);
    expect(String(failure)).toContain("entry 0 (devnet_mint) cannot be replayed");
    expect(readFileSync(path, "utf8")).toBe(broken);
    // Nothing is left that the next start would continue from.
    expect(existsSync(existing.folder.file("chain.db"))).toBe(false);

    await existing.start();
    await resultOf(existing, "devnet_createBlock");
    const expected = await blocksOf(existing);
    expect(await existing.stop()).toBe(0);
    await existing.start({ args });
    expect(await blocksOf(existing)).toEqual(expected);
    expect(existing.output()).toContain("the dump is not loaded");
    expect(await errorOf(existing, "devnet_dump", {})).toMatchObject({ code: -1 });
    await existing.stop();
    expect(readFileSync(path, "utf8")).toBe(broken);
  }, 120_000);
});
