import type { RunningNode } from "#test/helpers/binary.ts";
import type { FleetWorld, Seat } from "#test/helpers/fleet-world.ts";
import { waitForBlock } from "#test/helpers/follower.ts";
import { blockHash } from "#test/helpers/gateway-chain.ts";
import type { StoreFaults } from "#test/helpers/store-server.ts";
import type { AttackReport } from "./attack.ts";
import { type FailoverFleet, type FleetAttack, runAlone } from "./failover-fleet.ts";

const ROUNDS = 10;
const BLOCK_MS = 500;
const NEEDS = { accounts: 1, blockMs: BLOCK_MS, storeProgram: null };
/** How long the store delays a put at the point where the leader is killed. */
const HELD_MS = 3_000;
/** By then such a put is in flight. */
const KILL_AFTER_MS = 2 * BLOCK_MS;
const PUT_OF_BLOCK = { methods: ["PUT"], keys: "blocks/" } as const;

/** Points at which the leader is killed, and the fault that holds it there. */
const PLACES: readonly { readonly name: string; readonly faults: StoreFaults }[] = [
  {
    name: "between commit and put",
    faults: { rules: [{ ...PUT_OF_BLOCK, beforeMs: HELD_MS, fault: "down" }] },
  },
  {
    name: "between put and answer",
    faults: { rules: [{ ...PUT_OF_BLOCK, times: 1, afterMs: HELD_MS }] },
  },
  // The announcement follows the response immediately: the kill comes before or after it.
  { name: "after the answer", faults: {} },
];

async function dieAt(
  world: FleetWorld,
  leader: Seat,
  standby: RunningNode,
  faults: StoreFaults,
): Promise<void> {
  await world.store.setFaults(faults);
  const before = world.publishedBlocks().length;
  if (faults.rules === undefined) {
    while (world.publishedBlocks().length === before) await Bun.sleep(1);
  } else await Bun.sleep(KILL_AFTER_MS);
  await leader.node?.stop("SIGKILL");
  await world.store.setFaults({});
  const newest = world.publishedBlocks().length;
  await waitForBlock(standby, newest + 1);
}

/** Reports blocks without one common hash on all nodes. */
async function differences(
  nodes: readonly RunningNode[],
  upTo: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let number = 0; number <= upTo; number++) {
    const hashes = new Set(await Promise.all(nodes.map((node) => blockHash(node, number))));
    if (hashes.size !== 1) found.push(`block ${number} is ${[...hashes].join(" and ")}`);
  }
  return found;
}

async function runOn({ world, reader, roles }: FailoverFleet): Promise<AttackReport> {
  let [leader, standby] = await roles();
  for (const { faults } of PLACES) {
    for (let i = 0; i < ROUNDS; i++) {
      if (standby.node === undefined) throw new TypeError("nobody stands by");
      await dieAt(world, leader, standby.node, faults);
      [leader, standby] = [standby, leader];
      const next = await world.start(standby, true);
      await waitForBlock(next, world.publishedBlocks().length - 1);
    }
  }
  const nodes = [reader, ...world.seats.flatMap(({ node }) => node ?? [])];
  const newest = world.publishedBlocks().length - 1;
  await Promise.all(nodes.map((node) => waitForBlock(node, newest)));
  const wrong = await differences(nodes, newest);
  const gap = world.publishedBlocks().findIndex((number, i) => number !== i);
  return {
    held: wrong.length === 0 && gap === -1,
    figures:
      wrong.length === 0
        ? `${PLACES.map(({ name }) => name).join(", ")}: ${ROUNDS} kills each, ${newest + 1} blocks, the same on ${nodes.length} nodes`
        : wrong.slice(0, 5).join("; "),
  };
}

/** Kills the leader at every point between committing a block and announcing it. */
export const FAILOVER_KILLS: FleetAttack = {
  name: "failover-kills",
  about: "a leader that is killed around the publication of a block leaves one chain",
  needs: { small: NEEDS, full: NEEDS },
  runOn,
  run: (scale) => runAlone(FAILOVER_KILLS, scale),
};
