import { NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import type { LeaderRecord, ChainPosition } from "#services/replication/index.ts";
import type { PreparedFolder } from "../storage/folder/prepared-folder.ts";
import { lostText } from "./leadership-report.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { type InspectedStore, inspectStore, makesFirstBlock } from "./inspect-store.ts";
import { storedInstance } from "./instance.ts";
import { joinStore } from "./join-store.ts";
import { openStore } from "./open-store.ts";

/** Chain that several sequencers share. */
export interface SharedChain {
  /** Main thread's connection to the store. */
  readonly store: ObjectStore;
  /** State of the data directory relative to the store when it was opened. */
  readonly position: ChainPosition;
  /**
   * Last leader at that time; `undefined` if none yet, or the node follows and did not query it.
   */
  readonly leader: LeaderRecord | undefined;
  /** Id that identifies the sequencer of the data directory. */
  readonly instance: string;
}

/** Dependencies of {@link SharedStart}. */
export interface OpenSharedDeps {
  readonly setup: NodeSetup;
  readonly log: Logger;
  readonly timer: Timer;
}

/** Start of a node whose chain may be shared: queries the store before any chain data is written. */
export class SharedStart {
  readonly #options: Pick<NodeOptions, "replication" | "signal">;
  readonly #deps: OpenSharedDeps;
  readonly #disposables: AsyncDisposableStack;
  #inspected: InspectedStore | undefined;

  constructor(
    options: Pick<NodeOptions, "replication" | "signal">,
    setup: NodeSetup,
    { log, timer, disposables }: Pick<NodeHost, "log" | "timer" | "disposables">,
  ) {
    this.#options = options;
    this.#deps = { setup, log, timer };
    this.#disposables = disposables;
  }

  /**
   * Resolves to whether the node makes block 0 of an empty chain.
   *
   * @throws {AppError} as {@link inspectStore}
   */
  async mayBegin(): Promise<boolean> {
    const { replication, signal } = this.#options;
    if (replication === null) return true;
    const end = new AbortController();
    this.#disposables.defer(() => end.abort());
    const store = openStore(replication.store, end.signal);
    const leads = replication.standby === null;
    this.#inspected = await inspectStore({ ...this.#deps, store, leads, signal });
    return makesFirstBlock(this.#inspected);
  }

  /**
   * Aligns the chain of a data directory with the published one, before anything of it is served.
   *
   * @returns `null` if the chain is not shared
   * @throws {AppError} as {@link joinShared}
   */
  async join(prepared: PreparedFolder): Promise<SharedChain | null> {
    const { replication, signal } = this.#options;
    if (replication === null || this.#inspected === undefined) return null;
    const leads = replication.standby === null;
    return joinShared(this.#inspected, leads, signal, { ...this.#deps, prepared });
  }
}

/**
 * Joins a store that {@link inspectStore} has checked.
 *
 * @param leads - whether the node will produce blocks
 * @param signal - aborted when the start is cancelled
 * @throws {NodeError} NODE_DEPOSED when the last leader has published blocks that are lost
 * @throws {AppError} as {@link joinStore}
 */
export async function joinShared(
  { store, leader, publishedBlock }: InspectedStore,
  leads: boolean,
  signal: AbortSignal,
  deps: OpenSharedDeps & { readonly prepared: PreparedFolder },
): Promise<SharedChain> {
  const newest = deps.prepared.nextBlock - 1;
  requireNoneLost(leader, Math.max(newest, publishedBlock));
  const position = await joinStore({ ...deps, store, leads, signal });
  requireNoneLost(leader, Math.max(position.storedBlock, position.publishedBlock));
  return { store, position, leader, instance: await storedInstance(deps.setup) };
}

function requireNoneLost(leader: LeaderRecord | undefined, newest: number): void {
  if (leader === undefined || leader.newestBlock <= newest) return;
  throw new NodeError("NODE_DEPOSED", lostText(leader.newestBlock, newest));
}
