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

/** Newest block that all branches share. */
const COMMON = 5;
const LONG = bySize({ quick: 50, full: 700 });
const SHORT = bySize({ quick: 28, full: 300 });
/** Block of the long branch that is unavailable at first. */
const HELD = bySize({ quick: 18, full: 60 });
/** Height of a node on the long branch when it is switched to the short one. */
const LEFT_AT = bySize({ quick: 14, full: 50 });
const LONG_TIMEOUT_MS = 120_000;

const trunk = useGatewayChain({ args: ON_DEMAND });
/** Continues with many blocks. */
const long = useGatewayChain({ args: ON_DEMAND, copyOf: trunk });
/** Continues with fewer blocks, signed with the same key. */
const short = useGatewayChain({ args: ON_DEMAND, copyOf: trunk });
/** Continues with the most blocks, signed with another key. */
const forged = useGatewayChain({
  args: ON_DEMAND,
  copyOf: trunk,
  prepare: (folder) => {
    const key = folder.file("block-signing.key");
    rmSync(key);
    writeFileSync(key, "0x1234567\n", { mode: 0o600 });
    // A sequencer continues a chain only with the key of its newest block.
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

/** Number of requests for a gateway's head. */
const headsAsked = ({ routes }: GatewayProxy): number =>
  routes.filter((route) => route === "get_block").length;

/** The reorg notification that a subscriber received. */
async function reorgHeard(client: WsClient): Promise<Record<string, unknown>> {
  const message = await client.take(({ method }) => method === "starknet_subscriptionReorg");
  return (message["params"] as { result: Record<string, unknown> }).result;
}

describe("a reorganized chain", () => {
  test("replaces one block at its tip and notifies subscribers", async () => {
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

  test("is left for a shorter one without delay, but not below a block accepted on L1", async () => {
    await Promise.all([makeBlocks(long, LONG), makeBlocks(short, SHORT)]);
    await using proxy = await startGatewayProxy(long.gateway);
    // During sync: the first blocks of the branch are stored, later ones unavailable.
    const held = proxy.add({ routes: ["get_state_update"], blockNumber: HELD, lie: status(503) });
    await node.start({ gateways: [proxy.url] });
    await waitForBlock(node, HELD - 1);
    expect(await node.provider.getBlockNumber()).toBe(HELD - 1);
    held.end();
    proxy.upstream = short.gateway;
    await untilCaughtUp(node, short, LONG_TIMEOUT_MS);
    // Back to the long, higher branch, and then to the lower one.
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

    // Blocks that one branch settled on L1 stay, whatever the other one has.
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
    const requested = headsAsked(proxy);
    await untilSo("requested again", second, () => headsAsked(proxy) > requested + 1);
    expect(await second.provider.getBlockNumber()).toBe(stays);
    proxy.upstream = long.gateway;
    await untilCaughtUp(second, long, LONG_TIMEOUT_MS);
    await second.stop();
  }, 400_000);
});

describe("a forged branch", () => {
  test("reverts nothing, whatever its length, signer or head", async () => {
    // Restores the state after the first test, also if that was skipped.
    upstream.upstream = short.gateway;
    await untilCaughtUp(follower, short, LONG_TIMEOUT_MS);
    const { length: printed } = follower.output();
    const own = await blockHash(follower, "latest");
    const height = await follower.provider.getBlockNumber();
    // A head that does not exist.
    const isHead = { routes: ["get_block"], times: 8 };
    upstream.add({ ...isHead, lie: changed((head) => (head["block_hash"] = "0xdead")) });
    await untilRefused(follower, /0xdead/);
    // Valid blocks signed with another key.
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
    const requested = headsAsked(upstream);
    await untilSo("requested again", follower, () => headsAsked(upstream) > requested + 1);
    expect(await follower.provider.getBlockNumber()).toBe(height);
    expect(await blockHash(follower, "latest")).toBe(own);
    expect(follower.output().slice(printed)).not.toContain("reorganized");
    upstream.upstream = short.gateway;
    await untilSo("in order again", follower, async () => (await readyOf(follower)).ready);
  }, 120_000);
});
