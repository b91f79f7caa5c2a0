import type { RunningNode } from "#test/helpers/binary.ts";
import { type FleetWorld, leads, type Seat } from "#test/helpers/fleet-world.ts";
import { waitForBlock } from "#test/helpers/follower.ts";
import { untilSo } from "#test/helpers/follower-state.ts";
import { type AttackReport, type AttackScale, boundMs } from "./attack.ts";
import { ANY_STORE, type FailoverFleet, type FleetAttack, runAlone } from "./failover-fleet.ts";

const ROUNDS: Readonly<Record<AttackScale, number>> = { small: 1, full: 10 };
const FULL_PAUSE_MS = 20_000;
const NEEDS = { accounts: 1, blockMs: 1_000, storeProgram: ANY_STORE };
/** Exit code of a sequencer that was replaced as the leader. */
const DEPOSED = 4;
/** Maximum time for a deposed leader to hand over (ten seconds) and to stop. */
const END_MS = 20_000;

/** Pauses a process at a random point; it resumes without knowing that. */
async function pause(node: RunningNode, sleep: () => Promise<void>): Promise<void> {
  process.kill(node.pid, "SIGSTOP");
  await sleep();
  process.kill(node.pid, "SIGCONT");
}

/** Runs one round. @returns the fault, if any */
async function round(
  world: FleetWorld,
  leader: Seat,
  standby: Seat,
  scale: AttackScale,
): Promise<string | undefined> {
  const { node } = leader;
  const next = standby.node;
  if (node === undefined || next === undefined) return "a sequencer is missing";
  const endMs = boundMs(scale, END_MS);
  const before = await next.provider.getBlockNumber();
  await pause(node, () =>
    scale === "full"
      ? Bun.sleep(FULL_PAUSE_MS)
      : untilSo("the standby leads", next, () => leads(standby)),
  );
  const code = await Promise.race([node.exited, Bun.sleep(endMs).then(() => "never")]);
  if (code !== DEPOSED) return `the old leader ended with ${code}: ${node.output().slice(-400)}`;
  await waitForBlock(next, before + 2, 30_000);
  const restarted = await world.start(leader, true);
  await waitForBlock(restarted, await next.provider.getBlockNumber(), 30_000);
  return undefined;
}

async function runOn({ world, roles }: FailoverFleet, scale: AttackScale): Promise<AttackReport> {
  const wrong: string[] = [];
  for (let i = 0; i < ROUNDS[scale] && wrong.length === 0; i++) {
    const [leader, standby] = await roles();
    const found = await round(world, leader, standby, scale);
    if (found !== undefined) wrong.push(`round ${i}: ${found}`);
  }
  const blocks = world.publishedBlocks();
  const gap = blocks.findIndex((number, i) => number !== i);
  if (gap !== -1) wrong.push(`block ${gap} is missing in the store`);
  return {
    held: wrong.length === 0,
    figures:
      wrong.length > 0
        ? wrong.join("; ")
        : `${ROUNDS[scale]} pauses${scale === "full" ? ` of ${FULL_PAUSE_MS / 1000} s` : ""}: each old leader ended with ${DEPOSED} and came back; ${blocks.length} blocks`,
  };
}

/** Pauses the leader at random points; it resumes when another sequencer leads. */
export const FAILOVER_PAUSES: FleetAttack = {
  name: "failover-pauses",
  about: "a leader that is paused while a standby takes over leaves one chain when it resumes",
  needs: { small: NEEDS, full: NEEDS },
  runOn,
  run: (scale) => runAlone(FAILOVER_PAUSES, scale),
};
