import { NodeError } from "#base/errors/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import {
  BundleStore,
  findLeader,
  type LeaderRecord,
  persistently,
} from "#services/replication/index.ts";
import { leaderFields } from "./leadership-report.ts";
import { checkStore, type JoinDeps, patienceOf } from "./join-store.ts";

/** Result of a start's queries to a shared chain's store, made before any chain data is written. */
export interface InspectedStore {
  readonly store: ObjectStore;
  /** Last leader; `undefined` if none yet, or the node follows and did not query it. */
  readonly leader: LeaderRecord | undefined;
  /** Newest published block; -1 if none. */
  readonly publishedBlock: number;
}

/**
 * Checks with the store whether a node may start: the store belongs to its chain, and no other sequencer
 * leads.
 *
 * @throws {NodeError} NODE_DEPOSED while another sequencer leads, NODE_STOPPED when the start is cancelled
 * @throws {AppError} as {@link checkStore}
 */
export async function inspectStore(deps: Omit<JoinDeps, "prepared">): Promise<InspectedStore> {
  const { store, leads, timer } = deps;
  await checkStore(deps);
  const leader = leads ? await silentLeader(deps) : undefined;
  const bundles = new BundleStore(store, timer);
  const publishedBlock = await persistently(() => bundles.newest(-1), patienceOf(deps));
  return { store, leader, publishedBlock };
}

/**
 * Whether a node makes block 0 of an empty chain: no other sequencer has published a block or led with one.
 */
export function makesFirstBlock({ leader, publishedBlock }: InspectedStore): boolean {
  return publishedBlock < 0 && (leader === undefined || leader.newestBlock < 0);
}

/** @throws {NodeError} NODE_DEPOSED when the leader is alive */
async function silentLeader({
  store,
  signal,
  log,
  timer,
}: Pick<JoinDeps, "store" | "signal" | "log" | "timer">): Promise<LeaderRecord | undefined> {
  let isLogged = false;
  const found = await findLeader({
    store,
    onUnseen({ message }) {
      if (!isLogged) log.warn("the start waits for the object store", { reason: message });
      isLogged = true;
    },
    timer,
    signal,
  });
  if (found === undefined) throw new NodeError("NODE_STOPPED", "stopped before the chain was open");
  const { leader, isAlive } = found;
  if (!isAlive || leader === undefined) return leader;
  const { epoch, gateway } = leaderFields(leader);
  throw new NodeError(
    "NODE_DEPOSED",
    `another sequencer leads the chain: epoch ${epoch}, gateway ${gateway}; with --standby this one follows it`,
  );
}
