import { NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import { findLeader, type LeaderRecord, type Standing } from "#services/replication/index.ts";
import type { PreparedFolder } from "../folder/prepared-folder.ts";
import { leaderFields, lostText } from "../reports/leadership-report.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { keptInstance } from "./instance.ts";
import { checkStore, joinStore } from "./join-store.ts";
import { openStore } from "./open-store.ts";

/** A chain that several sequencers share. */
export interface SharedChain {
  /** The main thread's connection with the store. */
  readonly store: ObjectStore;
  /** How the data directory stood to the store when it was opened. */
  readonly standing: Standing;
  /** Who led then; `undefined`: nobody has led yet, or the node follows and has not asked. */
  readonly leader: LeaderRecord | undefined;
  /** What recognizes the sequencer of the data directory. */
  readonly instance: string;
}

/** What opening works with. */
export interface OpenSharedDeps {
  readonly setup: NodeSetup;
  readonly prepared: PreparedFolder;
  readonly log: Logger;
  readonly timer: Timer;
}

/**
 * Makes the chain of a data directory one with what was published, before anything of it is served.
 *
 * @param disposables - gets what ends the connection with the store
 * @returns `null`: the chain is not shared
 * @throws {NodeError} NODE_DEPOSED while another sequencer leads, and where whoever led has published blocks
 *   that nobody has any more
 * @throws {AppError} as {@link checkStore} and {@link joinStore}
 */
export async function openShared(
  { replication, signal }: Pick<NodeOptions, "replication" | "signal">,
  deps: OpenSharedDeps,
  disposables: AsyncDisposableStack,
): Promise<SharedChain | null> {
  if (replication === null) return null;
  const end = new AbortController();
  disposables.defer(() => end.abort());
  const store = openStore(replication.store, end.signal);
  return joinShared(store, replication.standby === null, signal, deps);
}

/**
 * The same with a store that is open.
 *
 * @param leads - the node is going to make blocks
 * @param signal - the start is called off
 */
export async function joinShared(
  store: ObjectStore,
  leads: boolean,
  signal: AbortSignal,
  deps: OpenSharedDeps,
): Promise<SharedChain> {
  await checkStore({ ...deps, store, leads, signal });
  const leader = leads ? await silentLeader(store, signal, deps) : undefined;
  const standing = await joinStore({ ...deps, store, leads, signal });
  const published = Math.max(standing.storedBlock, standing.publishedBlock);
  if (leader !== undefined && leader.newestBlock > published) {
    throw new NodeError("NODE_DEPOSED", lostText(leader.newestBlock, published));
  }
  return { store, standing, leader, instance: await keptInstance(deps.setup) };
}

/** @throws {NodeError} NODE_DEPOSED when the leader gives signs of life */
async function silentLeader(
  store: ObjectStore,
  signal: AbortSignal,
  { log, timer }: OpenSharedDeps,
): Promise<LeaderRecord | undefined> {
  let isTold = false;
  const found = await findLeader({
    store,
    onUnseen({ message }) {
      if (!isTold) log.warn("the start waits for the object store", { reason: message });
      isTold = true;
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
