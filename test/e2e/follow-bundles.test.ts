import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { feltFromHex } from "#base/primitives/index.ts";
import { encodeChain } from "#services/replication/index.ts";
import { useFollower, waitForBlock } from "#test/helpers/follower.ts";
import { compareNodes } from "#test/helpers/followed/compare.ts";
import { questionsAt } from "#test/helpers/followed/questions.ts";
import { metricOf, readyOf, untilRefused, untilSo } from "#test/helpers/follower-state.ts";
import { blockHash, makeMint, ON_DEMAND, useGatewayChain } from "#test/helpers/gateway-chain.ts";
import { openPublishedChain, type PublishedChain } from "#test/helpers/published-chain.ts";
import {
  type LocalStoreServer,
  startStoreServer,
  STORE_ENVIRONMENT,
} from "#test/helpers/store-server.ts";

/** Number of blocks published initially, and of all blocks. */
const BEGIN = 6;
const BLOCKS = 12;

const chain = useGatewayChain({ args: ON_DEMAND });
let published: PublishedChain;
let store: LocalStoreServer;
/** Paths requested from the gateway to which transactions are forwarded. */
const requests: string[] = [];
let gateway: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  await chain.start();
  for (let block = 1; block <= BLOCKS; block++) await makeMint(chain, block);
  const key = await (await fetch(`${chain.gateway}/feeder_gateway/get_public_key`)).json();
  published = await openPublishedChain(chain.folder.path, feltFromHex(String(key)) ?? 0n);
  gateway = Bun.serve({
    port: 0,
    fetch(request) {
      requests.push(new URL(request.url).pathname);
      return new Response(null, { status: 500 });
    },
  });
}, 120_000);

afterAll(async () => {
  await gateway.stop(true);
  published[Symbol.dispose]();
});

/** Options of a node that follows the store. */
const followed = (args: readonly string[] = []) => ({
  gateways: [`http://127.0.0.1:${gateway.port}`],
  args: ["--follow", store.storeUrl(), ...args],
  env: STORE_ENVIRONMENT,
});

/** Number of times that a node has printed a text. */
const times = (output: string, text: string): number => output.split(text).length - 1;

describe("a node that follows the bundles of a store", () => {
  const node = useFollower();

  beforeAll(async () => {
    store = await startStoreServer();
    published.publish(store.bucket, BEGIN);
    await node.start(followed(["--verify", "execution"]));
    await waitForBlock(node, BEGIN);
  }, 60_000);

  afterAll(() => store[Symbol.asyncDispose]());

  test("serves the sequencer's responses without requests to a gateway", async () => {
    await untilSo("ready", node, async () => (await readyOf(node)).ready);
    const sender = chain.accounts[0]?.address ?? "";
    for (const number of [0, BEGIN]) {
      const questions = (await questionsAt(chain, number, sender)).filter(
        ({ params }) => !JSON.stringify(params).includes("latest"),
      );
      expect(await compareNodes(chain, node, questions)).toEqual([]);
    }
    expect(requests).toEqual([]);
    expect(node.output()).toContain("s3://chain/test");
  }, 60_000);

  test("follows new blocks despite store faults", async () => {
    await store.setFaults({
      seed: 20_261_123,
      rules: [
        { rate: 0.1, fault: 500 },
        { rate: 0.1, fault: 503 },
        { rate: 0.1, fault: 403 },
        { rate: 0.1, fault: "down" },
        { rate: 0.1, beforeMs: 200 },
      ],
    });
    for (let number = BEGIN + 1; number <= BLOCKS - 3; number++) {
      published.publish(store.bucket, number);
      await Bun.sleep(100);
    }
    await waitForBlock(node, BLOCKS - 3);
    expect(await blockHash(node, BLOCKS - 3)).toBe(await blockHash(chain, BLOCKS - 3));
    await store.setFaults({});
  }, 60_000);

  test("reports a corrupt block once, and accepts it once it is repaired", async () => {
    const next = BLOCKS - 2;
    const bytes = published.bytesOf(next);
    const flipped = bytes.slice();
    flipped[40] = (flipped[40] ?? 0) ^ 1;
    store.bucket.put(published.keyOf(next), flipped);
    await untilRefused(node, new RegExp(`block ${next} is refused`));
    await Bun.sleep(1_500);
    expect(times(node.output(), `block ${next} is refused`)).toBe(1);
    expect(await blockHash(node, "latest")).toBe(await blockHash(chain, next - 1));
    store.bucket.put(published.keyOf(next), bytes);
    await waitForBlock(node, next);
  }, 60_000);

  test("rejects a block of a newer protocol, and one of an earlier epoch", async () => {
    const next = BLOCKS - 1;
    const key = published.keyOf(next);
    const newer = published.changed(next, (bundle) => ({
      ...bundle,
      block: { ...bundle.block, header: { ...bundle.block.header, protocolVersion: "0.99.0" } },
    }));
    store.bucket.put(key, newer);
    await untilRefused(node, /protocol_version.*0\.99\.0/);
    store.bucket.put(
      key,
      published.changed(next, (bundle) => ({ ...bundle, epoch: 3 })),
    );
    await waitForBlock(node, next);
    const last = published.keyOf(BLOCKS);
    store.bucket.put(
      last,
      published.changed(BLOCKS, (bundle) => ({ ...bundle, epoch: 2 })),
    );
    await untilRefused(node, /epoch.*2, after 3/);
    expect(await metricOf(node, "appchain_sync_refused")).toMatchObject({ '{check="epoch"}': 1 });
    store.bucket.put(
      last,
      published.changed(BLOCKS, (bundle) => ({ ...bundle, epoch: 3 })),
    );
    await waitForBlock(node, BLOCKS);
    expect(await blockHash(node, BLOCKS)).toBe(await blockHash(chain, BLOCKS));
  }, 60_000);

  test("stays ready if the store loses its newest blocks", async () => {
    await node.stop();
    const keys = [BLOCKS - 1, BLOCKS].map((number) => published.keyOf(number));
    for (const key of keys) store.bucket.delete(key);
    await node.start(followed());
    await untilSo("ready", node, async () => (await readyOf(node)).ready);
    expect(await blockHash(node, "latest")).toBe(await blockHash(chain, BLOCKS));
    expect(times(node.output(), "refused")).toBe(0);
  }, 60_000);

  test("exits with code 2 and one message if the store is of another chain", async () => {
    await node.stop();
    store.bucket.put("test/chain", encodeChain({ ...published.record, chainId: "SN_OTHER" }));
    const { exitCode, output } = await node.runToEnd(followed());
    expect(exitCode).toBe(2);
    expect(times(output, "its chain id is SN_OTHER, not APPCHAIN_DEVNET")).toBe(1);
    expect(requests).toEqual([]);
  }, 60_000);
});
