import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resultOf } from "#test/helpers/binary.ts";
import { useFollower, waitForBlock } from "#test/helpers/follower.ts";
import { metricOf, readyOf, untilCaughtUp, untilSo } from "#test/helpers/follower-state.ts";
import { makeBlocks, makeMint, ON_DEMAND, useGatewayChain } from "#test/helpers/gateway-chain.ts";
import { atRandom, behind, cut, hanging, honestly, throttled } from "#test/helpers/gateway-lies.ts";
import { type GatewayProxy, startGatewayProxy } from "#test/helpers/gateway-proxy.ts";
import { bySize } from "#test/helpers/test-size.ts";

const SEED = 20_261_122;
const BLOCKS = 20;

/** One of three replicas is three blocks behind. */
const BALANCER = { lie: atRandom(SEED, honestly, honestly, behind(3)) };

/** Exceeds the silence after which a gateway counts as unreachable. */
const HANG_TIMEOUT_MS = 60_000;

const chain = useGatewayChain({ args: ON_DEMAND });
/** Has caught up through a load balancer. Each test leaves it in sync and the proxy honest. */
const node = useFollower();
let proxy: GatewayProxy;
const alone = useFollower();
const withOther = useFollower();
/** Settles once both nodes have followed past the block that a gateway hangs at. */
let pastHang: Promise<void>;

beforeAll(async () => {
  await chain.start();
  await makeMint(chain, 1);
  await makeBlocks(chain, BLOCKS);
  // A gateway may be silent for a long time: other tests run meanwhile.
  pastHang = followPastHang();
  pastHang.catch(() => {});
  proxy = await startGatewayProxy(chain.gateway);
  const replicas = proxy.add(BALANCER);
  await node.start({ gateways: [proxy.url] });
  await untilCaughtUp(node, chain);
  replicas.end();
}, 120_000);

afterAll(() => proxy[Symbol.asyncDispose]());

async function followPastHang(): Promise<void> {
  await using hangs = await startGatewayProxy(chain.gateway);
  await using other = await startGatewayProxy(chain.gateway);
  const rule = { routes: ["get_state_update"], blockNumber: 5, lie: hanging };
  const permanent = hangs.add(rule);
  await using hangsOnce = await startGatewayProxy(chain.gateway);
  hangsOnce.add({ ...rule, times: 1 });
  await Promise.all([
    withOther.start({ gateways: [hangs.url, other.url] }),
    alone.start({ gateways: [hangsOnce.url] }),
  ]);
  await Promise.all([waitForBlock(withOther, 4), waitForBlock(alone, 4)]);
  await Promise.all([
    untilCaughtUp(withOther, chain, HANG_TIMEOUT_MS),
    untilCaughtUp(alone, chain, HANG_TIMEOUT_MS),
  ]);
  expect(permanent.used).toBeGreaterThan(0);
  expect(withOther.output() + alone.output()).not.toContain("refused");
  await Promise.all([withOther.stop(), alone.stop()]);
}

describe("a full node behind a load balancer", () => {
  test("reverts nothing when a replica is three blocks behind", async () => {
    const replicas = proxy.add(BALANCER);
    for (let block = 0; block < 3; block++) {
      await makeMint(chain, 10 + block);
      await untilCaughtUp(node, chain);
    }
    expect(node.output()).not.toContain("reorganized");
    expect(node.output()).not.toContain("refused");
    await untilSo("ready", node, async () => (await readyOf(node)).ready);
    expect(await resultOf(node, "starknet_syncing")).toBe(false);
    replicas.end();
  }, 120_000);
});

describe("a full node with two gateways", () => {
  const node = useFollower();

  test("follows the second while the first is unreachable, and then the first again", async () => {
    await using first = await startGatewayProxy(chain.gateway);
    await using second = await startGatewayProxy(chain.gateway);
    const isDown = first.add({ lie: cut });
    await node.start({ gateways: [first.url, second.url] });
    await untilCaughtUp(node, chain);
    expect(second.routes).toContain("get_state_update");
    isDown.end();
    const requested = first.routes.length;
    await untilSo("the first is requested again", node, () => first.routes.length > requested + 3);
    await makeMint(chain, 20);
    await untilCaughtUp(node, chain);
    await node.stop();
  }, 120_000);
});

describe("a full node with the gateways of a sequencer and of its standby", () => {
  const node = useFollower();

  test("reverts nothing while one is dead and the other behind, and continues with either", async () => {
    await using leader = await startGatewayProxy(chain.gateway);
    await using standby = await startGatewayProxy(chain.gateway);
    const isBehind = standby.add({ lie: behind(3) });
    await node.start({ gateways: [leader.url, standby.url] });
    await untilCaughtUp(node, chain);
    const newest = await chain.provider.getBlockNumber();
    const isDead = leader.add({ lie: cut });
    const requested = standby.routes.length;
    await untilSo("the standby is requested", node, () => standby.routes.length > requested + 2);
    expect(await node.provider.getBlockNumber()).toBe(newest);
    isBehind.end();
    await makeMint(chain, 21);
    await untilCaughtUp(node, chain);
    // The old leader returns as a standby and receives its blocks from the new one.
    leader.add({ lie: atRandom(SEED, honestly, behind(2)) });
    isDead.end();
    const before = leader.routes.length;
    await untilSo("the first is asked again", node, () => leader.routes.length > before + 3);
    await makeMint(chain, 22);
    await untilCaughtUp(node, chain);
    expect(node.output()).not.toContain("reorganized");
    await node.stop();
  }, 120_000);
});

describe("a gateway that hangs at one block", () => {
  test("is skipped if there is another one, and otherwise retried", async () => {
    await pastHang;
  }, 120_000);
});

describe("a gateway that throttles", () => {
  const SECONDS = bySize({ quick: 1, full: 2 });

  test("is left alone for the requested time, repeatedly, and followed afterwards", async () => {
    await untilCaughtUp(node, chain);
    const rule = proxy.add({ lie: throttled(SECONDS) });
    await untilSo("throttled", node, () => rule.used > 0);
    await makeMint(chain, 30);
    const requested = rule.used;
    await Bun.sleep(3 * SECONDS * 1_000);
    // Each pending request is sent once more after the pause, and there are few kinds.
    expect(rule.used - requested).toBeLessThan(20);
    expect(await node.provider.getBlockNumber()).toBeLessThan(
      await chain.provider.getBlockNumber(),
    );
    rule.end();
    await untilCaughtUp(node, chain);
    const requests = await metricOf(node, "appchain_sync_gateway_requests");
    expect(Object.keys(requests).join("\n")).toContain("throttled");
  }, 120_000);
});
