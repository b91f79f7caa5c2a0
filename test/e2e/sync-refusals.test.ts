import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { useFollower } from "#test/helpers/follower.ts";
import {
  metricOf,
  readyOf,
  untilCaughtUp,
  untilRefused,
  untilSo,
} from "#test/helpers/follower-state.ts";
import {
  blockHash,
  makeBlocks,
  makeMint,
  ON_DEMAND,
  useGatewayChain,
} from "#test/helpers/gateway-chain.ts";
import {
  changed,
  cut,
  cutShort,
  elsewhere,
  endless,
  replaced,
  says,
  status,
} from "#test/helpers/gateway-lies.ts";
import { MemoryWatch } from "#test/helpers/memory-watch.ts";
import { type GatewayProxy, type Lie, startGatewayProxy } from "#test/helpers/gateway-proxy.ts";
import { STRK, strkBalance } from "#test/helpers/tokens.ts";

const BLOCKS = 12;

const chain = useGatewayChain({ args: ON_DEMAND });
/** Has other accounts and is longer; tests add blocks to it as needed. */
const foreign = useGatewayChain({ args: [...ON_DEMAND, "--dev-accounts", "3"] });
/** Follows the chain through the proxy; each test leaves it in sync. */
const node = useFollower();
let proxy: GatewayProxy;

beforeAll(async () => {
  await Promise.all([chain.start(), foreign.start()]);
  for (let block = 1; block <= BLOCKS; block++) await makeMint(chain, block);
  proxy = await startGatewayProxy(chain.gateway);
  await node.start({ gateways: [proxy.url] });
  await untilCaughtUp(node, chain);
}, 120_000);

afterAll(() => proxy[Symbol.asyncDispose]());

describe("an invalid block", () => {
  const second = useFollower();

  test("is logged and reported by /ready while earlier blocks are served, and accepted once it is valid", async () => {
    const BAD = BLOCKS + 1;
    const rule = proxy.add({
      routes: ["get_state_update"],
      blockNumber: BAD,
      lie: changed((answer) => {
        const { block } = answer as { block: { timestamp: number } };
        block.timestamp++;
      }),
    });
    await makeMint(chain, BAD);
    await untilRefused(node, new RegExp(`block ${BAD} is refused \\(block_hash\\)`));
    expect(await metricOf(node, "appchain_sync_refused")).toMatchObject({
      '{check="block_hash"}': 1,
    });
    expect(await blockHash(node, "latest")).toBe(await blockHash(chain, BAD - 1));
    const requested = rule.used;
    await untilSo("requested again", node, () => rule.used > requested + 1);
    expect((await fetch(`${node.url}/ready`)).status).toBe(503);
    // Requested repeatedly, reported once.
    expect(node.output().split(`block ${BAD} is refused`).length).toBe(2);
    rule.end();
    await untilCaughtUp(node, chain);
    await untilSo("ready", node, async () => (await readyOf(node)).ready);
    expect(await metricOf(node, "appchain_sync_refused")).not.toMatchObject({
      '{check="block_hash"}': 1,
    });
  }, 60_000);

  test("of one gateway is fetched from another that has it right", async () => {
    const BAD = 7;
    await using lying = await startGatewayProxy(chain.gateway);
    lying.add({
      routes: ["get_state_update"],
      blockNumber: BAD,
      lie: replaced("0x1001", "0x1002"),
    });
    await second.start({ gateways: [lying.url, chain.gateway] });
    await untilCaughtUp(second, chain);
    expect(second.output()).toContain(`block ${BAD} is refused`);
    await second.stop();
  }, 60_000);
});

describe("malformed gateway responses", () => {
  const fresh = useFollower();
  /** Far below the bytes sent, far above the needs of a full node. */
  const MAX_BYTES = 1500 * 2 ** 20;
  const MIB = "a".repeat(1 << 20);
  const LIES: readonly Lie[] = [
    says("5"),
    says('{"block": [], "state_update": 7}'),
    says("[".repeat(100_000)),
    elsewhere("http://127.0.0.1:1/"),
    cutShort,
    cut,
    status(500),
    endless(MIB, 0),
  ];

  test("are rejected within bounds of memory, and nothing of them is stored", async () => {
    await using lying = await startGatewayProxy(chain.gateway);
    const rules = LIES.map((lie, i) =>
      lying.add({ routes: ["get_state_update"], blockNumber: 2 + i, times: 1, lie }),
    );
    // The first responses of other routes have wrong types, too.
    for (const route of ["get_class_by_hash", "get_preconfirmed_block"]) {
      lying.add({ routes: [route], times: 1, lie: says('{"abi": {}, "transactions": 3}') });
    }
    await fresh.start({ gateways: [lying.url] });
    const memory = new MemoryWatch(fresh.pid);
    await untilCaughtUp(fresh, chain);
    expect(memory.takePeak()).toBeLessThan(MAX_BYTES);
    memory.stop();
    expect(rules.map(({ used }) => used)).toEqual(LIES.map(() => 1));
    expect(fresh.output()).toContain("refused: the node stays at its newest block");
    await untilSo("ready", fresh, async () => (await readyOf(fresh)).ready);
    await fresh.stop();
  }, 120_000);
});

describe("a public key that differs from the first one", () => {
  test("stops sync, also after a restart, until the first key is served again", async () => {
    const known = await chain.provider.getBlockNumber();
    await node.stop();
    const rule = proxy.add({ routes: ["get_public_key"], lie: says('"0x1234"') });
    await node.start();
    await untilRefused(node, /public_key/);
    await makeMint(chain, 100);
    const requested = rule.used;
    await untilSo("requested again", node, () => rule.used > requested + 1);
    expect(await node.provider.getBlockNumber()).toBe(known);
    rule.end();
    await untilCaughtUp(node, chain);
  }, 60_000);
});

describe("another chain", () => {
  test("is rejected while running, and with exit code 2 at the start; nothing is deleted", async () => {
    await makeBlocks(foreign, BLOCKS + 10);
    const own = await blockHash(node, "latest");
    // A running node has a chain to serve: it stays there and reports the reason.
    proxy.upstream = foreign.gateway;
    await untilRefused(node, /signature|public_key/);
    expect(await blockHash(node, "latest")).toBe(own);
    expect(node.output()).not.toContain("reorganized");
    await node.stop();
    const { exitCode, output } = await node.runToEnd();
    expect(exitCode).toBe(2);
    expect(output).toContain("it is another chain");
    proxy.upstream = chain.gateway;
    await node.start();
    expect(await blockHash(node, "latest")).toBe(own);
    await untilCaughtUp(node, chain);
  }, 60_000);
});

describe("a sequencer that writes state outside of transactions, with valid hashes", () => {
  const believing = useFollower();
  const executing = useFollower();

  test("is followed when only hashes are verified, and rejected by execution with the cell", async () => {
    await makeMint(foreign, 5);
    const key = hexFromFelt(balanceKey(0x666n));
    await resultOf(foreign, "dev_setStorageAt", [STRK, key, "0xfffffff"]);
    await makeMint(foreign, 6);
    const forged = await blockThatWrote(foreign, key);
    const gateways = [foreign.gateway];
    await Promise.all([
      believing.start({ gateways }),
      executing.start({ gateways, args: ["--verify", "execution"] }),
    ]);
    await untilCaughtUp(believing, foreign);
    expect(await strkBalance(believing.provider, "0x666")).toBe(0xfffffffn);
    await untilRefused(executing, new RegExp(`block ${forged} is refused \\(execution\\)`), 20_000);
    expect((await readyOf(executing)).reason).toContain(key);
    expect(await executing.provider.getBlockNumber()).toBe(forged - 1);
    expect(await strkBalance(executing.provider, "0x666")).toBe(0n);
    await Promise.all([believing.stop(), executing.stop()]);
  }, 60_000);
});

/** The first block in which a cell of STRK is not zero. */
async function blockThatWrote(node: Pick<RunningChain, "url">, key: string): Promise<number> {
  for (let number = 0; ; number++) {
    const id = { block_number: number };
    const value = await resultOf(node, "starknet_getStorageAt", [STRK, key, id]);
    if (value !== "0x0") return number;
  }
}
