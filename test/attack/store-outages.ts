import { FleetWorld, leads, type Seat } from "#test/helpers/fleet-world.ts";
import { waitForBlock } from "#test/helpers/follower.ts";
import { untilSo } from "#test/helpers/follower-state.ts";
import { startTcpPlug } from "#test/helpers/tcp-plug.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";

const OUTAGE_MS: Readonly<Record<AttackScale, number>> = { small: 5_000, full: 60_000 };
const IDLE_MS: Readonly<Record<AttackScale, number>> = { small: 5_000, full: 300_000 };
const BLOCK_MS = 1_000;
const DEPOSED = 4;
const END_MS = 25_000;

/** Makes the store hang for all nodes: no standby takes over, and the same leader continues. */
async function storeDown(world: FleetWorld, leader: Seat, outageMs: number): Promise<string> {
  const { node } = leader;
  if (node === undefined) return "no leader";
  world.store.pause();
  await Bun.sleep(outageMs);
  const isAnswering = await fetch(`${node.url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
  world.store.resume();
  const before = await node.provider.getBlockNumber();
  await waitForBlock(node, before + 3, 60_000);
  if (!isAnswering) return "the leader did not answer while the store was away";
  return (await leads(leader)) ? "" : "another one leads after the store was away";
}

/**
 * Cuts the leader off from the store: the standby leads, and the old leader exits once it notices.
 */
async function cutOff(world: FleetWorld, leader: Seat, standby: Seat): Promise<string> {
  const plug = await startTcpPlug(world.store.port);
  try {
    await leader.node?.stop();
    await standby.node?.stop();
    const cut = await world.start(leader, false, plug.port);
    const next = await world.start(standby, true);
    await waitForBlock(next, await cut.provider.getBlockNumber());
    plug.cut();
    await untilSo("the standby leads", next, () => leads(standby), 30_000);
    plug.join();
    const code = await Promise.race([cut.exited, Bun.sleep(END_MS).then(() => "never")]);
    return code === DEPOSED ? "" : `the leader that was cut off ended with ${code}`;
  } finally {
    await plug.stop();
  }
}

/** A leader of an idle chain keeps its place. */
async function idle(leader: Seat, idleMs: number): Promise<string> {
  const before = await leader.node?.provider.getBlockNumber();
  await Bun.sleep(idleMs);
  if (!(await leads(leader))) return "an idle leader lost its place";
  const after = await leader.node?.provider.getBlockNumber();
  return before === after ? "" : `an idle chain went from block ${before} to ${after}`;
}

async function withFleet(
  blockTimeMs: number | null,
  work: (world: FleetWorld, leader: Seat, standby: Seat) => Promise<string>,
): Promise<string> {
  using folder = temporaryFolder();
  const storeProgram = process.env["VERSITYGW"] ?? null;
  const options = { folder: folder.path, accounts: 1, args: [], chainConfig: null, blockTimeMs };
  const world = await FleetWorld.open({ ...options, storeProgram });
  try {
    const [leader, standby] = [await world.addSeat(), await world.addSeat()];
    await world.start(leader, false);
    await waitForBlock(await world.start(standby, true), 0);
    return await work(world, leader, standby);
  } finally {
    await world.stop();
  }
}

async function run(scale: AttackScale): Promise<AttackReport> {
  const outages = () =>
    withFleet(BLOCK_MS, async (world, leader, standby) => {
      const down = await storeDown(world, leader, OUTAGE_MS[scale]);
      return down === "" ? cutOff(world, leader, standby) : down;
    });
  const idling = () => withFleet(null, (_world, leader) => idle(leader, IDLE_MS[scale]));
  const outcomes =
    scale === "small"
      ? await Promise.all([outages(), idling()])
      : [await outages(), await idling()];
  const findings = outcomes.filter((finding) => finding !== "");
  return {
    held: findings.length === 0,
    figures:
      findings.join("; ") ||
      `store away for ${OUTAGE_MS[scale] / 1000} s, leader cut off, idle for ${IDLE_MS[scale] / 1000} s: one leader each time`,
  };
}

/** The store hangs, for all or only for the leader; and an idle chain. */
export const STORE_OUTAGES: Attack = {
  name: "store-outages",
  about: "keeps one leader when the store fails for all nodes or only for the leader",
  run,
};
