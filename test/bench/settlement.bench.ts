/**
 * Prints how soon a block is accepted on L1 after its state update is final there:
 *
 *     ./scripts/bench settlement
 *     UPDATES=40 ./scripts/bench settlement
 *
 * L1 is anvil, and an update is final in the block that has it (`--l1-finality 0`). Seconds from
 * then until the block's status is ACCEPTED_ON_L1, on the sequencer and on a full node with its own
 * L1 endpoint.
 */
import { startAnvil } from "#test/helpers/anvil.ts";
import { freePort, rawCall, startChain } from "#test/helpers/binary.ts";
import { startFollower, waitForBlock } from "#test/helpers/follower.ts";
import { deployCore, postUpdate, type TestUpdate } from "#test/helpers/l1-core.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { median } from "./pairs.ts";

const UPDATES = Number(process.env["UPDATES"] ?? 20);

interface Block {
  readonly block_hash: string;
  readonly new_root: string;
  readonly status: string;
}

async function blockAt(url: string, block_number: number): Promise<Block> {
  const params = [{ block_number }];
  return (await rawCall(url, "starknet_getBlockWithTxHashes", params)).result as Block;
}

async function acceptedMs(url: string, blockNumber: number, sinceMs: number): Promise<number> {
  while ((await blockAt(url, blockNumber)).status !== "ACCEPTED_ON_L1") await Bun.sleep(10);
  return performance.now() - sinceMs;
}

const anvil = await startAnvil();
using folder = temporaryFolder();
using followerFolder = temporaryFolder();
const core = await deployCore(anvil);
const gatewayPort = await freePort();
const l1 = [
  "--l1-endpoint",
  anvil.url,
  "--l1-finality",
  "0",
  "--chain-config-override",
  `eth_core_contract_address=${core.address}`,
];
const chain = await startChain({
  basePath: folder.path,
  args: [...l1, "--gateway-port", String(gatewayPort)],
});
const node = await startFollower(followerFolder.path, {
  gateways: [`http://127.0.0.1:${gatewayPort}`],
  args: l1,
});
try {
  const seconds: Record<"sequencer" | "full node", number[]> = { sequencer: [], "full node": [] };
  let previous: TestUpdate["previous"] = { root: 0n, number: -1n, hash: 0n };
  for (let number = 1; number <= UPDATES; number++) {
    await rawCall(chain.url, "devnet_createBlock", []);
    await waitForBlock(node, number);
    const { block_hash, new_root } = await blockAt(chain.url, number);
    const next = { root: BigInt(new_root), number: BigInt(number), hash: BigInt(block_hash) };
    // Spreads updates over the polling interval of L1.
    await Bun.sleep(Math.random() * 2_000);
    await postUpdate(anvil, core, { previous, next, toL1: [], toL2: [] });
    previous = next;
    const sinceMs = performance.now();
    const [here, there] = await Promise.all([
      acceptedMs(chain.url, number, sinceMs),
      acceptedMs(node.url, number, sinceMs),
    ]);
    seconds.sequencer.push(here / 1000);
    seconds["full node"].push(there / 1000);
  }
  for (const [name, all] of Object.entries(seconds)) {
    const most = Math.max(...all).toFixed(2);
    console.log(`${name}: accepted on L1 after ${median(all).toFixed(2)} s p50, ${most} s at most`);
  }
} finally {
  await node.stop();
  await chain.stop();
  await anvil.stop();
}
