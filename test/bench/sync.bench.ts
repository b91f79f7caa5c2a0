/**
 * Prints how fast a full node follows a chain from genesis, compared with the sequencer that
 * produced it:
 *
 *     ./scripts/bench sync
 *     BLOCKS=500 ROUNDS=3 ./scripts/bench sync
 *
 * Blocks of 20 transfers to new recipients. Transactions per second until the last block is
 * accepted, on the sequencer (all its clients on the same machine) and on nodes that verify hashes,
 * execution too, or hashes of the same blocks' bundles from a store (a separate process on this
 * machine); then the response time of an invoke, directly and through a full node.
 */
import { freePort, rawCall, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { startFollower } from "#test/helpers/follower.ts";
import { signedTransfer, type SignedTransfer } from "#test/helpers/load.ts";
import { openPublishedChain } from "#test/helpers/published-chain.ts";
import { startStoreProcess, STORE_ENVIRONMENT } from "#test/helpers/store-server.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { cpuMs, median } from "./pairs.ts";

const BLOCKS = Number(process.env["BLOCKS"] ?? 300);
const ROUNDS = Number(process.env["ROUNDS"] ?? 3);
const BLOCK_TRANSFERS = 20;
const ACCOUNTS = 100;
const CONNECTIONS = 32;
const INVOKES = 300;
/** Warm-up invokes of each kind: without them only the chain, and not the node, would be warm. */
const WARM_INVOKES = 1000;

/** Transfers with rising nonces of many accounts. */
function transfers(chain: RunningChain, count: number, firstNonce = 0): SignedTransfer[] {
  return Array.from({ length: count }, (_, i) => {
    const nonce = BigInt(firstNonce + Math.floor(i / ACCOUNTS));
    const recipient = 0x10_0000_0000n + BigInt(firstNonce * ACCOUNTS + i);
    return signedTransfer("APPCHAIN_DEVNET", chain.signer(i % ACCOUNTS), nonce, recipient);
  });
}

async function send(url: string, { body }: SignedTransfer): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const { error } = (await response.json()) as { error?: unknown };
  if (error !== undefined) throw new TypeError(JSON.stringify(error));
}

async function latest(url: string): Promise<number> {
  const { result } = await rawCall(url, "starknet_blockNumber");
  return typeof result === "number" ? result : -1;
}

/** Produces the chain. @returns transactions per second */
async function make(chain: RunningChain): Promise<number> {
  // A full block closes with the first transaction that does not fit.
  const signed = transfers(chain, BLOCKS * BLOCK_TRANSFERS + 1);
  const startedMs = performance.now();
  let next = 0;
  const connection = async (): Promise<void> => {
    for (let each = signed[next++]; each !== undefined; each = signed[next++]) {
      await send(chain.url, each);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  while ((await latest(chain.url)) < BLOCKS) await Bun.sleep(5);
  return (BLOCKS * BLOCK_TRANSFERS * 1000) / (performance.now() - startedMs);
}

/**
 * Follows the chain from genesis.
 *
 * @param sourcePid - process that serves the blocks
 * @returns transactions per second, and milliseconds of processor per transaction, of the node and
 * of the source
 */
async function follow(
  gateway: string,
  newest: number,
  args: readonly string[],
  sourcePid: number,
): Promise<readonly [number, number, number]> {
  const sourceMs = cpuMs(sourcePid);
  using folder = temporaryFolder();
  const startedMs = performance.now();
  const node = await startFollower(folder.path, {
    gateways: [gateway],
    args: ["--log-level", "warn", ...args],
    env: STORE_ENVIRONMENT,
  });
  try {
    while ((await latest(node.url)) < newest) await Bun.sleep(5);
    const count = BLOCKS * BLOCK_TRANSFERS;
    const perSecond = (count * 1000) / (performance.now() - startedMs);
    return [perSecond, cpuMs(node.pid) / count, (cpuMs(sourcePid) - sourceMs) / count];
  } finally {
    await node.stop();
  }
}

/** Follows the chain from a store with the bundles of all blocks. */
async function followBundles(
  chain: string,
  gateway: string,
  newest: number,
): ReturnType<typeof follow> {
  using folder = temporaryFolder();
  await using store = await startStoreProcess(folder.path);
  const key = await (await fetch(`${gateway}/feeder_gateway/get_public_key`)).json();
  using published = await openPublishedChain(chain, BigInt(String(key)));
  published.publish(store.bucket, newest);
  return await follow(gateway, newest, ["--follow", store.storeUrl()], store.pid);
}

/** Median response time of an invoke: sent directly, and through a full node, in turn. */
async function forwarded(chain: RunningChain, gateway: string): Promise<readonly number[]> {
  using folder = temporaryFolder();
  const node = await startFollower(folder.path, { gateways: [gateway] });
  try {
    while ((await latest(node.url)) < (await latest(chain.url))) await Bun.sleep(50);
    const nonce = Math.ceil((BLOCKS * BLOCK_TRANSFERS + 1) / ACCOUNTS);
    const signed = transfers(chain, 2 * (WARM_INVOKES + INVOKES), nonce);
    const times = [chain.url, node.url].map((url) => ({ url, ms: [] as number[] }));
    for (const [i, each] of signed.entries()) {
      const { url, ms } = times[i % 2] ?? { url: chain.url, ms: [] };
      const startedMs = performance.now();
      await send(url, each);
      if (i >= 2 * WARM_INVOKES) ms.push(performance.now() - startedMs);
    }
    return times.map(({ ms }) => median(ms));
  } finally {
    await node.stop();
  }
}

const rows: (readonly number[])[] = [];
for (let round = 0; round < ROUNDS; round++) {
  using folder = temporaryFolder();
  const port = await freePort();
  const gateway = `http://127.0.0.1:${port}`;
  const chain = await startChain({
    basePath: folder.path,
    env: { APPCHAIN_ASYNC_SUBMISSION: "true" },
    args: [
      ...["--dev-accounts", String(ACCOUNTS), "--log-level", "warn"],
      ...["--gateway-port", String(port), "--chain-config-override", "block_time=1h"],
      ...["--chain-config-override", "blocks_on_demand=false"],
      "--chain-config-override",
      `bouncer_config.block_max_capacity.n_txs=${BLOCK_TRANSFERS}`,
    ],
  });
  try {
    const made = await make(chain);
    const newest = await latest(chain.url);
    const [hashes, hashesCpu, gatewayCpu] = await follow(gateway, newest, [], chain.pid);
    const [bundles, bundlesCpu, storeCpu] = await followBundles(folder.path, gateway, newest);
    const executing = ["--verify", "execution"];
    const [execution, executionCpu] = await follow(gateway, newest, executing, chain.pid);
    const [direct = NaN, through = NaN] = await forwarded(chain, gateway);
    const speeds = [made, hashes, bundles, execution];
    const cpu = [hashesCpu, gatewayCpu, bundlesCpu, storeCpu, executionCpu];
    const row = [...speeds, ...cpu, direct, through];
    console.log(`round ${round + 1}: ${row.map((value) => value.toFixed(2)).join(" ")}`);
    rows.push(row);
  } finally {
    await chain.stop();
  }
}
const middles = rows[0]?.map((_, column) => median(rows.map((row) => row[column] ?? NaN))) ?? [];
const [made = NaN, hashes = NaN, bundles = NaN, execution = NaN, ...others] = middles;
const [hashesCpu = NaN, gatewayCpu = NaN, bundlesCpu = NaN, storeCpu = NaN, ...last] = others;
const [executionCpu = NaN, ...answers] = last;
const perSecond = (value: number): string =>
  `${value.toFixed(0)} transactions/s (${(value / BLOCK_TRANSFERS).toFixed(1)} blocks/s, ${(value / made).toFixed(2)} of the sequencer's)`;
console.log(`sequencer: ${perSecond(made)}`);
console.log(
  `full node, hashes: ${perSecond(hashes)}, ${hashesCpu.toFixed(2)} ms of processor each, ${gatewayCpu.toFixed(2)} of its sequencer`,
);
console.log(
  `full node, bundles: ${perSecond(bundles)}, ${bundlesCpu.toFixed(2)} ms of processor each, ${storeCpu.toFixed(2)} of the store; ${(bundles / hashes).toFixed(2)} times as fast as by the gateway`,
);
console.log(
  `full node, execution: ${perSecond(execution)}, ${executionCpu.toFixed(2)} ms of processor each`,
);
console.log(
  `an invoke's answer: ${answers.map((ms) => ms.toFixed(2)).join(" ms directly, ")} ms through a full node`,
);
