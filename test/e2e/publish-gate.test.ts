import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { hexFromFelt } from "#base/primitives/index.ts";
import { decodeBundle } from "#protocol/chain/index.ts";
import { blockKey, blockOfKey } from "#services/replication/index.ts";
import { ASYNC_SUBMISSION, rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { untilSo } from "#test/helpers/follower-state.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { refusedStart } from "#test/helpers/refused-start.ts";
import { runCommand } from "#test/helpers/run-binary.ts";
import {
  type LocalStoreServer,
  startStoreServer,
  STORE_ENVIRONMENT,
} from "#test/helpers/store-server.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { useChains, type UsedChain, useStoppedChain } from "#test/helpers/use-chain.ts";

const PREFIX = "test/";
const keyOf = (number: number): string => PREFIX + blockKey(number);

const BLOCK_NOT_FOUND = 24;
/** Longer than any wait of these tests. */
const NEVER_MS = 600_000;
/** More transactions than the queue of sealed blocks takes, so that some are in no block. */
const SENT = 24;

const startChain = useChains();
/** Store that sequencers are started with. */
let store: LocalStoreServer;
/** Publishes to the shared store. Tests that use it leave it running, and all blocks published. */
const leader = useStoppedChain(() => options());
/** Nonce of the leader's next transaction. */
let nextNonce = 0;

beforeAll(async () => {
  store = await startStoreServer();
  await leader.start();
  await untilSo("leads", leader, async () => (await newestOf(leader)) > 0);
}, 60_000);
afterAll(() => store[Symbol.asyncDispose]());

/** Replaces the shared store by an empty one until disposal. */
async function freshStore(): Promise<AsyncDisposable> {
  const before = store;
  const fresh = await startStoreServer();
  store = fresh;
  return {
    async [Symbol.asyncDispose]() {
      store = before;
      await fresh[Symbol.asyncDispose]();
    },
  };
}

const options = () => ({
  args: ["--publish-gate", store.storeUrl()],
  env: { ...STORE_ENVIRONMENT, ...ASYNC_SUBMISSION },
});

const newestOf = (chain: RunningChain) => resultOf<number>(chain, "starknet_blockNumber");

/** Sends a transfer. @returns its hash once it is received */
async function send(chain: RunningChain, nonce: number): Promise<string> {
  const transfer = signedTransfer("APPCHAIN_DEVNET", chain.signer(0), BigInt(nonce), 0xabcn);
  const response = await fetch(chain.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: transfer.body,
  });
  const { error } = (await response.json()) as { error?: unknown };
  expect(error).toBeUndefined();
  return hexFromFelt(transfer.hash);
}

/** Sends a transfer to the shared sequencer. */
const sendNext = (): Promise<string> => send(leader, nextNonce++);

/** The accepted block of a transaction; `undefined` before that. */
async function blockOf(chain: RunningChain, transaction: string): Promise<number | undefined> {
  const { result } = await rawCall(chain.url, "starknet_getTransactionReceipt", [transaction]);
  const receipt = result as { finality_status: string; block_number: number } | undefined;
  return receipt?.finality_status === "ACCEPTED_ON_L2" ? receipt.block_number : undefined;
}

async function untilAccepted(chain: RunningChain, transactions: readonly string[]): Promise<void> {
  for (const hash of transactions) {
    await untilSo(
      `${hash} accepted`,
      chain,
      async () => (await blockOf(chain, hash)) !== undefined,
    );
  }
}

/** Expects a separate object for each block, and no transaction in two blocks. */
async function expectPublished(chain: RunningChain): Promise<void> {
  const newest = await newestOf(chain);
  const seen = new Set<bigint>();
  for (let number = 0; number <= newest; number++) {
    const bytes = store.bucket.get(keyOf(number));
    const { block } = decodeBundle(bytes ?? new Uint8Array());
    const served = await resultOf<{ block_hash: string }>(chain, "starknet_getBlockWithTxHashes", [
      { block_number: number },
    ]);
    expect(hexFromFelt(block.header.hash)).toBe(served.block_hash);
    for (const { hash } of block.transactions) {
      expect(seen).not.toContain(hash);
      seen.add(hash);
    }
  }
  const writes = [...(await store.writes())].filter(([key]) => key.startsWith(`${PREFIX}blocks/`));
  expect(writes.map(([, count]) => count)).toEqual(writes.map(() => 1));
}

const publishedNumbers = (): number[] =>
  store.bucket
    .keys(`${PREFIX}blocks/`)
    .flatMap((key) => blockOfKey(key.slice(PREFIX.length)) ?? []);

async function metricOf({ metricsPort }: RunningChain, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
}

const waitingSeconds = (chain: RunningChain) => metricOf(chain, "appchain_gate_waiting_seconds");

describe("a sequencer with a publish gate", () => {
  test("publishes each block once, also after a restart", async () => {
    await untilAccepted(leader, [await sendNext(), await sendNext()]);
    expect(await metricOf(leader, "appchain_gate_published_blocks")).toBe(await newestOf(leader));
    await leader.stop();
    await leader.start();
    await untilAccepted(leader, [await sendNext()]);
    await expectPublished(leader);
  });

  test("serves reads and accepts submissions during a store outage, stops in time and loses nothing", async () => {
    const before = await newestOf(leader);
    await store.setFaults({ rules: [{ keys: "blocks/", fault: 503 }] });
    const sent: string[] = [];
    for (let count = 0; count < SENT; count++) sent.push(await sendNext());
    await untilSo("waits", leader, async () => (await waitingSeconds(leader)) > 0.5);
    expect(await newestOf(leader)).toBe(before);
    expect(await Promise.all(sent.map((hash) => blockOf(leader, hash)))).toEqual(
      sent.map(() => undefined),
    );
    expect(await leader.stop()).toBe(0);
    await store.setFaults({});
    await leader.start();
    await untilAccepted(leader, sent);
    await expectPublished(leader);
  });

  test("resumes when the store recovers", async () => {
    await store.setFaults({ rules: [{ keys: "blocks/", fault: 507 }] });
    const sent = await sendNext();
    await untilSo("reported", leader, () => leader.output().includes("waits to be published"));
    await store.setFaults({});
    await untilAccepted(leader, [sent]);
    expect(leader.output()).toContain("is published: block production continues");
    await expectPublished(leader);
  });
});

/**
 * Expects an unpublished block to be hidden by number and hash, with its transactions
 * pre-confirmed.
 */
async function expectHidden(chain: RunningChain, number: number, sent: string): Promise<void> {
  const bytes = store.bucket.get(keyOf(number));
  const ids = [
    { block_number: number },
    ...(bytes === undefined
      ? []
      : [{ block_hash: hexFromFelt(decodeBundle(bytes).block.header.hash) }]),
  ];
  const address = chain.accounts[0]?.address;
  for (const id of ids) {
    for (const [method, params] of [
      ["getBlockWithReceipts", [id]],
      ["getStateUpdate", [id]],
      ["traceBlockTransactions", [id]],
      ["getNonce", [id, address]],
    ] as const) {
      const { error } = await rawCall(chain.url, `starknet_${method}`, params);
      expect(error?.code).toBe(BLOCK_NOT_FOUND);
    }
  }
  expect(await resultOf<object>(chain, "starknet_getTransactionStatus", [sent])).toMatchObject({
    finality_status: "PRE_CONFIRMED",
  });
}

describe("a kill", () => {
  const kill = async (chain: UsedChain, rule: "beforeMs" | "afterMs") => {
    const before = await newestOf(chain);
    await store.setFaults({ rules: [{ methods: ["PUT"], keys: "blocks/", [rule]: NEVER_MS }] });
    const sent = await sendNext();
    const count = before + (rule === "afterMs" ? 2 : 1);
    await untilSo(`put with ${rule}`, chain, async () =>
      rule === "afterMs" ? publishedNumbers().length === count : (await waitingSeconds(chain)) > 0,
    );
    expect(await newestOf(chain)).toBe(before);
    await expectHidden(chain, before + 1, sent);
    await chain.stop("SIGKILL");
    await store.setFaults({});
    expect(publishedNumbers()).toHaveLength(count);
    await chain.start();
    // The committed block is available before the first request can arrive.
    expect(await blockOf(chain, sent)).toBe(before + 1);
    await expectPublished(chain);
  };

  test("between commit and put, or between put and response, leaves the same chain", async () => {
    await kill(leader, "beforeMs");
    await kill(leader, "afterMs");
  });
});

test("a chain without a store is published from block 0 later, and blocks that the store lost are restored", async () => {
  await using _ = await freshStore();
  const env = ASYNC_SUBMISSION;
  const chain = await startChain({ env });
  for (let nonce = 0; nonce < 4; nonce++) await untilAccepted(chain, [await send(chain, nonce)]);
  await chain.stop();
  await chain.start(options());
  await untilAccepted(chain, [await send(chain, 4)]);
  await expectPublished(chain);
  await chain.stop();
  const published = publishedNumbers();
  for (const lost of [2, published.length - 1]) store.bucket.delete(keyOf(lost));
  await chain.start(options());
  expect(publishedNumbers()).toEqual(published);
  await chain.stop();
  const revert = ["db", "revert", "--base-path", chain.folder.path, "--to", "3", "--yes"];
  const refused = await runCommand(revert);
  expect(refused.output).toContain("the blocks are published");
  expect(refused.exitCode).toBe(1);
  await chain.start({ env });
  await chain.stop();
  expect((await runCommand(revert)).exitCode).toBe(0);
});

/** Runs {@link refusedStart} with the store. */
const refused = (folder: string, stopAt?: string) => refusedStart(folder, options(), stopAt);

describe("an unsuitable store", () => {
  test("of another chain makes the start fail with the difference", async () => {
    await leader.stop();
    const { code, output } = await refused(leader.folder.file("other"));
    expect(code).toBe(2);
    expect(output).toContain("is the store of another chain: 1 difference");
    expect(output).toContain("public half of the block-signing key");
    expect(existsSync(leader.folder.file("other"))).toBe(false);
  });

  test("that does not respond delays the start, which can be cancelled", async () => {
    using folder = temporaryFolder();
    await using _ = await freshStore();
    await store.setFaults({ rules: [{ fault: "down" }] });
    const waits = "the start waits for the object store";
    const { code, output } = await refused(folder.file("data"), waits);
    expect(output).toContain(waits);
    expect(code).toBe(0);
    expect(existsSync(folder.file("data"))).toBe(false);
  });

  test("that ignores conditional requests makes the start fail, and stays empty", async () => {
    using folder = temporaryFolder();
    await using _ = await freshStore();
    for (const conditions of ["ignored", "twoSteps"] as const) {
      await store.setFaults({ conditions });
      const { code, output } = await refused(folder.file("data"));
      expect(code).toBe(1);
      expect(output).toContain("violates conditional requests");
      expect(store.bucket.keys("")).toEqual([]);
      expect(existsSync(folder.file("data"))).toBe(false);
    }
  });
});
