import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import { freePort } from "#test/helpers/binary.ts";
import { useFollower, waitForBlock } from "#test/helpers/follower.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import {
  deployCore,
  type DeployedCore,
  postUpdate,
  type TestUpdate,
} from "#test/helpers/l1-core.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

const gateway = await withGateway();
const adminPort = await freePort();
const TOKEN = "e2e-l1-token-0123456789";
const folder = useFolder();
const chain = useStoppedChain(() => ({ args: [...l1Args(), ...gateway.args, ...adminArgs()] }));
const node = useFollower();
let anvil: RunningAnvil;
let core: DeployedCore;
/** L1 gas price when the chain starts. */
let startWei: bigint;

beforeAll(async () => {
  anvil = await startAnvil();
  core = await deployCore(anvil);
  startWei = await nextBaseFee();
  await chain.start();
  await node.start({ gateways: [gateway.url], args: l1Args() });
}, 120_000);

afterAll(async () => {
  await anvil.stop();
});

function adminArgs(): readonly string[] {
  const file = folder.file("token");
  writeFileSync(file, TOKEN, { mode: 0o600 });
  return ["--rpc-admin-port", String(adminPort), "--rpc-admin-token-file", file];
}

/** Follows L1 without confirmations. */
const l1Args = (): readonly string[] => [
  "--l1-endpoint",
  anvil.url,
  "--l1-finality",
  "0",
  "--chain-config-override",
  `eth_core_contract_address=${core.address}`,
  "--strk-per-eth",
  "2500",
  "--gas-price-poll",
  "1s",
];

interface Block {
  readonly block_number: number;
  readonly block_hash: string;
  readonly new_root: string;
  readonly status: string;
  readonly l1_gas_price: { readonly price_in_wei: string; readonly price_in_fri: string };
  readonly l1_data_gas_price: { readonly price_in_wei: string };
}

interface Answer<T> {
  readonly result?: T;
  readonly error?: { readonly message: string; readonly data?: unknown };
}

async function ask<T>(
  url: string,
  method: string,
  params: unknown = {},
  headers = {},
): Promise<Answer<T>> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
  return (await response.json()) as Answer<T>;
}

const admin = (method: string, params: unknown): Promise<Answer<unknown>> =>
  ask(`http://127.0.0.1:${adminPort}`, `appchain_${method}`, params, {
    authorization: `Bearer ${TOKEN}`,
  });

async function blockAt(url: string, block_number: number): Promise<Block | undefined> {
  const params = { block_id: { block_number } };
  return (await ask<Block>(url, "starknet_getBlockWithTxHashes", params)).result;
}

const createBlock = async (): Promise<void> => {
  await ask(chain.url, "devnet_createBlock");
};

async function until(what: () => Promise<boolean>): Promise<void> {
  for (const endsAtMs = Date.now() + 20_000; Date.now() < endsAtMs; await Bun.sleep(50)) {
    if (await what()) return;
  }
  throw new TypeError(`it did not come:\n${chain.output()}\n${node.output()}`);
}

/** Mines L1 blocks until the condition holds. */
const untilOnL1 = (what: () => Promise<boolean>): Promise<void> =>
  until(async () => {
    await anvil.client.mine({ blocks: 1 });
    await Bun.sleep(200);
    return what();
  });

const isSettled = async (url: string, blockNumber: number): Promise<boolean> =>
  (await blockAt(url, blockNumber))?.status === "ACCEPTED_ON_L1";

const metric = async ({ metricsPort }: { metricsPort: number }, name: string): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
};

const readiness = async (url: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(`${url}/ready`);
  return { status: response.status, text: await response.text() };
};

const revertTo = async (blockNumber: number): Promise<Answer<unknown>> =>
  admin("revertTo", { block_hash: (await wholeBlock(blockNumber)).block_hash });

async function nextBaseFee(): Promise<bigint> {
  const fees = await anvil.client.getFeeHistory({ blockCount: 1, rewardPercentiles: [] });
  return fees.baseFeePerGas.at(-1) ?? 0n;
}

type State = TestUpdate["next"];

/** L1 state before the first update. */
const NOTHING: State = { root: 0n, number: -1n, hash: 0n };

const stateOf = ({ block_number, block_hash, new_root }: Block): State => ({
  root: BigInt(new_root),
  number: BigInt(block_number),
  hash: BigInt(block_hash),
});

async function settle(previous: State, next: State): Promise<State> {
  const update = { previous, next, toL1: [], toL2: [] };
  expect((await postUpdate(anvil, core, update)).status).toBe("success");
  return next;
}

const wholeBlock = async (blockNumber: number): Promise<Block> => {
  const block = await blockAt(chain.url, blockNumber);
  if (block === undefined) throw new TypeError(`there is no block ${blockNumber}`);
  return block;
};

let onL1 = NOTHING;

describe("a sequencer that follows L1", () => {
  test("logs the L1 gas price and the subscription at startup", () => {
    const output = chain.output();
    const lines = [
      "fetching the initial L1 gas prices",
      "L1 gas price ",
      "subscribed to L1 state verification",
      "Network ",
      "Blocks        production starts at block 1",
      "L1            followed",
      "JSON-RPC      http",
    ];
    const places = lines.map((line) => output.indexOf(line));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  test("makes blocks at L1's prices, also when they change", async () => {
    await createBlock();
    for (const number of [0, 1]) {
      expect(BigInt((await wholeBlock(number)).l1_gas_price.price_in_wei)).toBe(startWei);
    }
    // Up to four times the usual price is accepted immediately.
    for (const baseFeePerGas of [startWei * 2n, startWei * 3n]) {
      await anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas });
      await anvil.client.mine({ blocks: 1 });
      const wei = await nextBaseFee();
      await until(async () => {
        await Bun.sleep(200);
        await createBlock();
        const { result } = await ask<number>(chain.url, "starknet_blockNumber");
        const { l1_gas_price: price } = await wholeBlock(result ?? -1);
        return BigInt(price.price_in_wei) === wei && BigInt(price.price_in_fri) === wei * 2500n;
      });
      expect(await metric(chain, "appchain_l1_gas_price")).toBe(Number(wei));
    }
    expect(BigInt((await wholeBlock(1)).l1_data_gas_price.price_in_wei)).toBeGreaterThan(0n);
  });

  test("rejects messages from an operator", async () => {
    const params = {
      from_address: "0x1",
      to_address: "0x2",
      entry_point_selector: "0x3",
      payload: [],
      nonce: "0x0",
      paid_fee_on_l1: "0x1",
    };
    const { error } = await admin("addL1HandlerMessage", params);
    expect(JSON.stringify(error)).toContain("L1");
  });
});

test("a settled block is accepted on L1, on the sequencer and on a full node with its own L1 endpoint", async () => {
  const block = await wholeBlock(1);
  onL1 = await settle(onL1, stateOf(block));
  for (const { url } of [chain, node]) {
    await waitForBlock(node, 1);
    await until(() => isSettled(url, 1));
    expect(await isSettled(url, 0)).toBe(true);
    expect(await isSettled(url, 2)).toBe(false);
  }
  for (const each of [chain, node]) {
    expect(each.output()).toMatch(new RegExp(`L1 head: block 1 .*${block.new_root}`));
    expect(await metric(each, "appchain_l1_block_number")).toBe(1);
    expect(await metric(each, "appchain_l1_state_mismatch")).toBe(0);
    expect((await readiness(each.url)).status).toBe(200);
  }
});

test("blocks accepted on L1 cannot be reverted; later ones can", async () => {
  const { result: newest } = await ask<number>(chain.url, "starknet_blockNumber");
  expect(newest).toBeGreaterThan(2);
  const below = await revertTo(0);
  expect(JSON.stringify(below.error)).toContain("accepted on L1");
  const above = await revertTo(2);
  expect(above.error).toBeUndefined();
  await createBlock();
  expect((await wholeBlock(3)).status).toBe("ACCEPTED_ON_L2");
  expect(await isSettled(chain.url, 1)).toBe(true);
});

describe("another root on L1", () => {
  test("stops production and raises an alarm", async () => {
    const { root, ...rest } = stateOf(await wholeBlock(2));
    await settle(onL1, { root: root + 1n, ...rest });
    // A single endpoint must confirm the mismatch at the next L1 block.
    await until(async () => (await metric(chain, "appchain_l1_unconfirmed_mismatch")) === 1);
    expect((await readiness(chain.url)).status).toBe(200);
    await untilOnL1(async () => (await readiness(chain.url)).status === 503);
    expect((await readiness(chain.url)).text).toContain("block 2");
    const before = await ask<number>(chain.url, "starknet_blockNumber");
    expect((await ask(chain.url, "devnet_createBlock")).error).toBeDefined();
    expect(await ask<number>(chain.url, "starknet_blockNumber")).toEqual(before);
    expect(await isSettled(chain.url, 2)).toBe(false);
    expect(await metric(chain, "appchain_l1_state_mismatch")).toBe(1);
    expect(chain.output().match(/ALARM/g)).toHaveLength(1);
  });

  test("makes a full node not ready", async () => {
    // Following the revert, the node is not ready either.
    await untilOnL1(async () => (await metric(node, "appchain_l1_state_mismatch")) === 1);
    expect(await readiness(node.url)).toMatchObject({
      status: 503,
      text: expect.stringContaining("block 2"),
    });
    expect(await isSettled(node.url, 2)).toBe(false);
  });

  test("is detected again after a restart", async () => {
    expect(await chain.stop()).toBe(0);
    await chain.start();
    await untilOnL1(async () => (await readiness(chain.url)).status === 503);
    expect(chain.output()).toContain("resuming block 4");
  });

  test("no longer matters once the chain is reverted to its L1-accepted block", async () => {
    expect((await revertTo(1)).error).toBeUndefined();
    await until(async () => (await readiness(chain.url)).status === 200);
    expect(await metric(chain, "appchain_l1_state_mismatch")).toBe(0);
  });
});

test("a chain with blocks starts without L1, at the newest block's prices", async () => {
  await chain.stop();
  await chain.start();
  const { result: before } = await ask<number>(chain.url, "starknet_blockNumber");
  const { l1_gas_price: price } = await wholeBlock(before ?? 0);
  await anvil.stop();
  await chain.stop();
  await chain.start();
  expect(chain.output()).toContain("L1 does not respond");
  await createBlock();
  const { result } = await ask<number>(chain.url, "starknet_blockNumber");
  const made = await wholeBlock(result ?? 0);
  expect(made.l1_gas_price.price_in_wei).toBe(price.price_in_wei);
  expect((await readiness(chain.url)).status).toBe(200);
});
