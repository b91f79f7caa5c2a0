import type { RunningNode } from "#test/helpers/binary.ts";
import { FleetWorld, leads, type Seat } from "#test/helpers/fleet-world.ts";
import { waitForBlock } from "#test/helpers/follower.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";

/** Options that decide when the standby takes over; in full the default. */
const TAKEOVER: Readonly<Record<AttackScale, readonly string[]>> = {
  small: ["--takeover-after", "2500"],
  full: [],
};

/** A leading sequencer, its standby, and a full node that follows their store. */
export interface FailoverFleet extends AsyncDisposable {
  readonly world: FleetWorld;
  readonly reader: RunningNode;
  /** Current roles of the two places. */
  roles(): Promise<readonly [leader: Seat, standby: Seat]>;
}

/** Requirements of an attack on its fleet. */
export interface FleetNeeds {
  /** Number of funded accounts. */
  readonly accounts: number;
  /** Time between blocks. */
  readonly blockMs: number;
  /** Program of the store; `null` for the test server, which injects faults. */
  readonly storeProgram: string | null;
}

/** Path of versitygw from `VERSITYGW`; `null` when unset. */
export const ANY_STORE: string | null = process.env["VERSITYGW"] ?? null;

/** Attack on a fleet. It leaves one sequencer leading and one standing by, for the next attack. */
export interface FleetAttack extends Attack {
  readonly needs: Readonly<Record<AttackScale, FleetNeeds>>;
  runOn(fleet: FailoverFleet, scale: AttackScale): Promise<AttackReport>;
}

/** Starts a fleet; settles once the standby and the full node have block 1. */
export async function startFailoverFleet(
  scale: AttackScale,
  { accounts, blockMs, storeProgram }: FleetNeeds,
): Promise<FailoverFleet> {
  const folder = temporaryFolder();
  const world = await FleetWorld.open({
    folder: folder.path,
    accounts,
    blockTimeMs: blockMs,
    chainConfig: null,
    args: TAKEOVER[scale],
    storeProgram,
  });
  const dispose = async (): Promise<void> => {
    await world.stop();
    folder[Symbol.dispose]();
  };
  try {
    const [first, second] = [await world.addSeat(), await world.addSeat()];
    await world.start(first, false);
    const [standby, reader] = await Promise.all([world.start(second, true), world.addFollower()]);
    await Promise.all([standby, reader].map((node) => waitForBlock(node, 1)));
    return {
      world,
      reader,
      roles: async () => ((await leads(first)) ? [first, second] : [second, first]),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Runs an attack on a separate fleet. */
export async function runAlone(attack: FleetAttack, scale: AttackScale): Promise<AttackReport> {
  await using fleet = await startFailoverFleet(scale, attack.needs[scale]);
  return await attack.runOn(fleet, scale);
}
