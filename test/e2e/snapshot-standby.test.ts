import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { deposit, writeBridgeConfig } from "#test/helpers/bridge-config.ts";
import { FleetWorld, leads, type Seat } from "#test/helpers/fleet-world.ts";
import { waitForBlock } from "#test/helpers/follower.ts";
import { untilSo } from "#test/helpers/follower-state.ts";
import { blockHash } from "#test/helpers/gateway-chain.ts";
import { executedMessages, L1Senders } from "#test/helpers/l1-senders.ts";
import { runCommand } from "#test/helpers/run-binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import type { RunningNode } from "#test/helpers/binary.ts";

/** Confirmations before a message counts. */
const DEPTH = 2;
const BLOCK_MS = 500;
const DEADLINE_MS = 30_000;

const folder = temporaryFolder();
let l1: L1Senders;
let world: FleetWorld;
let leader: Seat;
let standby: Seat;
let sent = 0;

beforeAll(async () => {
  l1 = await L1Senders.start();
  const chainConfig = writeBridgeConfig(folder.path);
  const options = { folder: folder.path, accounts: 1, storeProgram: null, chainConfig };
  const args = l1.options(DEPTH);
  world = await FleetWorld.open({ ...options, blockTimeMs: BLOCK_MS, args });
  leader = await world.addSeat();
  standby = await world.addSeat();
}, 60_000);

afterAll(async () => {
  await world.stop();
  await l1.stop();
  folder[Symbol.dispose]();
});

async function send(count: number): Promise<void> {
  sent += count;
  await l1.send(Array.from({ length: count }, (_, i) => deposit(BigInt(i + 1))));
  await l1.mine(DEPTH);
}

/** Waits until a node's blocks have all messages that were sent, each once and in order. */
async function untilExecuted(node: RunningNode): Promise<void> {
  const until = Date.now() + DEADLINE_MS;
  for (;;) {
    const nonces = (await executedMessages(node)).map(({ nonce }) => nonce);
    expect(nonces).toEqual(Array.from({ length: nonces.length }, (_, nonce) => nonce));
    if (nonces.length >= sent) return;
    if (Date.now() > until) throw new TypeError(`${nonces.length} of ${sent}:\n${node.output()}`);
    await Bun.sleep(100);
  }
}

/** Creates the standby's folder from a snapshot of the leader's chain. */
async function importSnapshot(node: RunningNode): Promise<void> {
  const target = join(folder.path, "snapshot");
  const number = await node.provider.getBlockNumber();
  const exported = await runCommand([
    ...["snapshot", "export", target],
    ...["--base-path", leader.basePath, "--at", String(number)],
  ]);
  expect(exported).toMatchObject({ exitCode: 0 });
  const imported = await runCommand([
    ...["snapshot", "import", target, "--base-path", standby.basePath],
    ...["--block-hash", await blockHash(node, number)],
    ...["--chain-config-path", join(folder.path, "bridge.yaml")],
  ]);
  expect(imported).toMatchObject({ exitCode: 0 });
}

test("a standby made from a snapshot takes over and executes no L1 message twice", async () => {
  const first = await world.start(leader, false);
  const reader = await world.addFollower();
  await waitForBlock(reader, 0);
  await send(5);
  await untilExecuted(reader);
  await importSnapshot(first);
  const second = await world.start(standby, true);
  await waitForBlock(second, await first.provider.getBlockNumber());
  await send(3);
  await untilExecuted(reader);
  await first.stop("SIGKILL");
  await send(3);
  await untilSo("the standby leads", second, () => leads(standby), DEADLINE_MS);
  await send(2);
  await untilExecuted(reader);
  await second.stop();
  const epochs = world.publishedBlocks().map((number) => world.published(number).epoch);
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  // Block 0 is the genesis: leaders start with the next block.
  expect([...new Set(epochs)]).toEqual([0, 1, 2]);
  const checked = await runCommand(["db", "check", "--base-path", standby.basePath]);
  expect(checked).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/^no difference in /),
  });
}, 120_000);
