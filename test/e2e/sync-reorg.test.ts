import { beforeAll, describe, expect, test } from "bun:test";
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
import { startGatewayProxy } from "#test/helpers/gateway-proxy.ts";
import { WsClient } from "#test/helpers/ws-client.ts";

/** Newest block that all branches have. */
const COMMON = 5;
const LONG = 700;
const SHORT = 300;
const LONG_TIMEOUT_MS = 120_000;

const trunk = useGatewayChain({ args: ON_DEMAND });
/** Goes on with many blocks. */
const long = useGatewayChain({ args: ON_DEMAND, copyOf: trunk });
/** Goes on with fewer blocks, signed with the same key. */
const short = useGatewayChain({ args: ON_DEMAND, copyOf: trunk });
/** Goes on with more blocks than any, signed with a key of its own. */
const forged = useGatewayChain({ args: ON_DEMAND, copyOf: trunk });

beforeAll(async () => {
  await trunk.start();
  for (let block = 1; block <= COMMON; block++) await makeMint(trunk, block);
  await resultOf(trunk, "devnet_acceptOnL1", { starting_block_id: { block_number: 2 } });
  await trunk.stop();
  await Promise.all([long.start(), short.start()]);
  await Promise.all([makeMint(long, 100), makeMint(short, 200)]);
}, 120_000);

/** What a subscriber was told of blocks that were taken back. */
async function reorgHeard(client: WsClient): Promise<Record<string, unknown>> {
  const message = await client.take(({ method }) => method === "starknet_subscriptionReorg");
  return (message["params"] as { result: Record<string, unknown> }).result;
}

describe("a chain that is reorganized", () => {
  const node = useFollower();

  test("by one block at its tip has its new block, and subscribers hear of it", async () => {
    await using proxy = await startGatewayProxy(long.gateway);
    await node.start({ gateways: [proxy.url] });
    await untilCaughtUp(node, long);
    const lost = await blockHash(node, "latest");
    const client = await WsClient.open(`ws://127.0.0.1:${node.rpcPort}/rpc/v0_10`);
    await client.ask("starknet_subscribeNewHeads");
    proxy.upstream = short.gateway;
    expect(await reorgHeard(client)).toMatchObject({
      starting_block_number: COMMON + 1,
      starting_block_hash: lost,
      ending_block_number: COMMON + 1,
      ending_block_hash: lost,
    });
    await untilSo("the new block", node, async () => {
      return (await node.provider.getBlockNumber()) === COMMON + 1;
    });
    await untilCaughtUp(node, short);
    expect(await blockHash(node, COMMON)).toBe(await blockHash(long, COMMON));
    client.socket.close();
    await untilSo("ready", node, async () => (await readyOf(node)).ready);
    await node.stop();
  }, 60_000);
});

describe("a long branch", () => {
  const node = useFollower();
  const second = useFollower();

  test("is left for a lower one, as soon as that is told, but not below what is accepted on L1", async () => {
    await Promise.all([makeBlocks(long, LONG), makeBlocks(short, SHORT)]);
    await using proxy = await startGatewayProxy(long.gateway);
    // In mid-sync: the first blocks of the branch are there, and those after it do not come.
    const held = proxy.add({ routes: ["get_state_update"], blockNumber: 60, lie: status(503) });
    await node.start({ gateways: [proxy.url] });
    await waitForBlock(node, 59);
    expect(await node.provider.getBlockNumber()).toBe(59);
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

    // What one branch has settled on L1 stays, whatever the other one says.
    await resultOf(long, "devnet_acceptOnL1", {
      starting_block_id: { block_number: COMMON + 3 },
    });
    proxy.upstream = long.gateway;
    await second.start({ gateways: [proxy.url] });
    await waitForBlock(second, 50, LONG_TIMEOUT_MS);
    proxy.upstream = short.gateway;
    await untilRefused(second, /ACCEPTED_ON_L1/);
    expect(await blockHash(second, COMMON + 3)).toBe(await blockHash(long, COMMON + 3));
    const stays = await second.provider.getBlockNumber();
    await Bun.sleep(3_000);
    expect(await second.provider.getBlockNumber()).toBe(stays);
    proxy.upstream = long.gateway;
    await untilCaughtUp(second, long, LONG_TIMEOUT_MS);
    await Promise.all([node.stop(), second.stop()]);
  }, 400_000);
});

describe("a forged branch", () => {
  const node = useFollower();

  test("takes nothing back, however long, whoever signs it, whatever head is told", async () => {
    await using proxy = await startGatewayProxy(short.gateway);
    await node.start({ gateways: [proxy.url] });
    await untilCaughtUp(node, short, LONG_TIMEOUT_MS);
    const own = await blockHash(node, "latest");
    const height = await node.provider.getBlockNumber();
    // A head that nobody has.
    const isHead = { routes: ["get_block"], times: 8 };
    proxy.add({ ...isHead, lie: changed((head) => (head["block_hash"] = "0xdead")) });
    await untilRefused(node, /0xdead/);
    // Right blocks of another key.
    await startForged();
    await makeBlocks(forged, SHORT + 20);
    proxy.upstream = forged.gateway;
    const key = await (await fetch(`${short.gateway}/feeder_gateway/get_public_key`)).text();
    proxy.add({
      routes: ["get_public_key"],
      lie: async () => ({ status: 200, headers: {}, text: key }),
    });
    await untilRefused(node, /signature/);
    await Bun.sleep(2_000);
    expect(await node.provider.getBlockNumber()).toBe(height);
    expect(await blockHash(node, "latest")).toBe(own);
    expect(node.output()).not.toContain("reorganized");
    proxy.upstream = short.gateway;
    await untilSo("in order again", node, async () => (await readyOf(node)).ready);
    await node.stop();
  }, 120_000);
});

/** Its folder is the trunk's, with another key. */
async function startForged(): Promise<void> {
  await forged.start();
  await forged.stop();
  const key = forged.folder.file("block-signing.key");
  rmSync(key);
  writeFileSync(key, "0x1234567\n", { mode: 0o600 });
  await forged.start();
  await makeMint(forged, 300);
}
