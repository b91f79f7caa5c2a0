import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { resultOf } from "#test/helpers/binary.ts";
import { useFollower, waitForBlock } from "#test/helpers/follower.ts";
import { readyOf, untilCaughtUp, untilRefused, untilSo } from "#test/helpers/follower-state.ts";
import {
  blockHash,
  makeBlocks,
  makeMint,
  ON_DEMAND,
  useGatewayChain,
} from "#test/helpers/gateway-chain.ts";
import { changed, status } from "#test/helpers/gateway-lies.ts";
import { type GatewayProxy, startGatewayProxy } from "#test/helpers/gateway-proxy.ts";
import { signNewest } from "#test/helpers/sign-newest.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { WsClient } from "#test/helpers/ws-client.ts";

/** Newest block that all branches have. */
const COMMON = 5;
const LONG = bySize({ quick: 70, full: 700 });
const SHORT = bySize({ quick: 40, full: 300 });
/** Block of the long branch that does not come at first. */
const HELD = bySize({ quick: 25, full: 60 });
/** Block of the long branch that a node has when it is led to the short one. */
const LEFT_AT = bySize({ quick: 20, full: 50 });
const LONG_TIMEOUT_MS = 120_000;

const trunk = useGatewayChain({ args: ON_DEMAND });
/** Goes on with many blocks. */
const long = useGatewayChain({ args: ON_DEMAND, copyOf: trunk });
/** Goes on with fewer blocks, signed with the same key. */
const short = useGatewayChain({ args: ON_DEMAND, copyOf: trunk });
/** Goes on with more blocks than any, signed with a key of its own. */
const forged = useGatewayChain({
  args: ON_DEMAND,
  copyOf: trunk,
  prepare: (folder) => {
    const key = folder.file("block-signing.key");
    rmSync(key);
    writeFileSync(key, "0x1234567\n", { mode: 0o600 });
    // A sequencer continues a chain with the key of its newest block alone.
    signNewest(folder.file("chain.db"), 0x1234567n);
  },
});
/** Follows the short branch after the first test. */
const follower = useFollower();
let upstream: GatewayProxy;

beforeAll(async () => {
  await trunk.start();
  for (let block = 1; block <= COMMON; block++) await makeMint(trunk, block);
  await resultOf(trunk, "devnet_acceptOnL1", { starting_block_id: { block_number: 2 } });
  await trunk.stop();
  await Promise.all([long.start(), short.start()]);
  await Promise.all([makeMint(long, 100), makeMint(short, 200)]);
  upstream = await startGatewayProxy(long.gateway);
  await follower.start({ gateways: [upstream.url] });
  await untilCaughtUp(follower, long);
}, 120_000);

afterAll(() => upstream[Symbol.asyncDispose]());

/** How often a gateway was asked for a head. */
const headsAsked = ({ routes }: GatewayProxy): number =>
  routes.filter((route) => route === "get_block").length;

/** What a subscriber was told of blocks that were taken back. */
async function reorgHeard(client: WsClient): Promise<Record<string, unknown>> {
  const message = await client.take(({ method }) => method === "starknet_subscriptionReorg");
  return (message["params"] as { result: Record<string, unknown> }).result;
}

describe("a chain that is reorganized", () => {
  test("by one block at its tip has its new block, and subscribers hear of it", async () => {
    const lost = await blockHash(follower, "latest");
    const client = await WsClient.open(`ws://127.0.0.1:${follower.rpcPort}/rpc/v0_10`);
    await client.ask("starknet_subscribeNewHeads");
    upstream.upstream = short.gateway;
    expect(await reorgHeard(client)).toMatchObject({
      starting_block_number: COMMON + 1,
      starting_block_hash: lost,
      ending_block_number: COMMON + 1,
      ending_block_hash: lost,
    });
    await untilSo("the new block", follower, async () => {
      return (await follower.provider.getBlockNumber()) === COMMON + 1;
    });
    await untilCaughtUp(follower, short);
    expect(await blockHash(follower, COMMON)).toBe(await blockHash(long, COMMON));
    client.socket.close();
    await untilSo("ready", follower, async () => (await readyOf(follower)).ready);
  }, 60_000);
});

describe("a long branch", () => {
  const node = useFollower();
  const second = useFollower();

  test("is left for a lower one, as soon as that is told, but not below what is accepted on L1", async () => {
    await Promise.all([makeBlocks(long, LONG), makeBlocks(short, SHORT)]);
    await using proxy = await startGatewayProxy(long.gateway);
    // In mid-sync: the first blocks of the branch are there, and those after it do not come.
    const held = proxy.add({ routes: ["get_state_update"], blockNumber: HELD, lie: status(503) });
    await node.start({ gateways: [proxy.url] });
    await waitForBlock(node, HELD - 1);
    expect(await node.provider.getBlockNumber()).toBe(HELD - 1);
    held.end();
    proxy.upstream = short.gateway;
    await untilCaughtUp(node, short, LONG_TIMEOUT_MS);
    // Back to the long one, which is higher, and then to the lower one.
    proxy.upstream = long.gateway;
    await untilCaughtUp(node, long, LONG_TIMEOUT_MS);
    const tip = await long.provider.getBlockNumber();
    expect(tip).toBe(COMMON + 1 + LONG);
    proxy.upstream = short.gateway;
    await untilSo("reverted", node, async () => (await node.provider.getBlockNumber()) < tip);
    await untilCaughtUp(node, short, LONG_TIMEOUT_MS);
    expect(await blockHash(node, COMMON)).toBe(await blockHash(short, COMMON));
    expect(node.output()).toContain(`back to block ${COMMON}`);
    await node.stop();

    // What one branch has settled on L1 stays, whatever the other one says.
    await resultOf(long, "devnet_acceptOnL1", {
      starting_block_id: { block_number: COMMON + 3 },
    });
    proxy.upstream = long.gateway;
    await second.start({ gateways: [proxy.url] });
    await waitForBlock(second, LEFT_AT, LONG_TIMEOUT_MS);
    proxy.upstream = short.gateway;
    await untilRefused(second, /ACCEPTED_ON_L1/);
    expect(await blockHash(second, COMMON + 3)).toBe(await blockHash(long, COMMON + 3));
    const stays = await second.provider.getBlockNumber();
    const asked = headsAsked(proxy);
    await untilSo("asked again", second, () => headsAsked(proxy) > asked + 1);
    expect(await second.provider.getBlockNumber()).toBe(stays);
    proxy.upstream = long.gateway;
    await untilCaughtUp(second, long, LONG_TIMEOUT_MS);
    await second.stop();
  }, 400_000);
});

describe("a forged branch", () => {
  test("takes nothing back, however long, whoever signs it, whatever head is told", async () => {
    // As the first test leaves it, also where that is left out.
    upstream.upstream = short.gateway;
    await untilCaughtUp(follower, short, LONG_TIMEOUT_MS);
    const { length: printed } = follower.output();
    const own = await blockHash(follower, "latest");
    const height = await follower.provider.getBlockNumber();
    // A head that nobody has.
    const isHead = { routes: ["get_block"], times: 8 };
    upstream.add({ ...isHead, lie: changed((head) => (head["block_hash"] = "0xdead")) });
    await untilRefused(follower, /0xdead/);
    // Right blocks of another key.
    await forged.start();
    await makeMint(forged, 300);
    await makeBlocks(forged, SHORT + 20);
    upstream.upstream = forged.gateway;
    const key = await (await fetch(`${short.gateway}/feeder_gateway/get_public_key`)).text();
    upstream.add({
      routes: ["get_public_key"],
      lie: async () => ({ status: 200, headers: {}, text: key }),
    });
    await untilRefused(follower, /signature/);
    const asked = headsAsked(upstream);
    await untilSo("asked again", follower, () => headsAsked(upstream) > asked + 1);
    expect(await follower.provider.getBlockNumber()).toBe(height);
    expect(await blockHash(follower, "latest")).toBe(own);
    expect(follower.output().slice(printed)).not.toContain("reorganized");
    upstream.upstream = short.gateway;
    await untilSo("in order again", follower, async () => (await readyOf(follower)).ready);
  }, 120_000);
});
