import { NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import type { LeaderRecord, Standing } from "#services/replication/index.ts";
import type { PreparedFolder } from "../storage/folder/prepared-folder.ts";
import { lostText } from "./leadership-report.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { type AskedStore, askStore, makesFirstBlock } from "./ask-store.ts";
import { keptInstance } from "./instance.ts";
import { joinStore } from "./join-store.ts";
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
  readonly log: Logger;
  readonly timer: Timer;
}

/** A start of a node whose chain may be shared: the store is asked before anything of a chain is written. */
export class SharedStart {
  readonly #options: Pick<NodeOptions, "replication" | "signal">;
  readonly #deps: OpenSharedDeps;
  readonly #disposables: AsyncDisposableStack;
  #asked: AskedStore | undefined;

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
   * Resolves to whether the node makes block 0 of a chain that has none.
   *
   * @throws {AppError} as {@link askStore}
   */
  async mayBegin(): Promise<boolean> {
    const { replication, signal } = this.#options;
    if (replication === null) return true;
    const end = new AbortController();
    this.#disposables.defer(() => end.abort());
    const store = openStore(replication.store, end.signal);
    const leads = replication.standby === null;
    this.#asked = await askStore({ ...this.#deps, store, leads, signal });
    return makesFirstBlock(this.#asked);
  }

  /**
   * Makes the chain of a data directory one with what was published, before anything of it is served.
   *
   * @returns `null`: the chain is not shared
   * @throws {AppError} as {@link joinShared}
   */
  async join(prepared: PreparedFolder): Promise<SharedChain | null> {
    const { replication, signal } = this.#options;
    if (replication === null || this.#asked === undefined) return null;
    const leads = replication.standby === null;
    return joinShared(this.#asked, leads, signal, { ...this.#deps, prepared });
  }
}

/**
 * Joins a store that was asked.
 *
 * @param leads - the node is going to make blocks
 * @param signal - the start is called off
 * @throws {NodeError} NODE_DEPOSED where whoever led has published blocks that nobody has any more
 * @throws {AppError} as {@link joinStore}
 */
export async function joinShared(
  { store, leader, publishedBlock }: AskedStore,
  leads: boolean,
  signal: AbortSignal,
  deps: OpenSharedDeps & { readonly prepared: PreparedFolder },
): Promise<SharedChain> {
  const newest = deps.prepared.nextBlock - 1;
  requireNoneLost(leader, Math.max(newest, publishedBlock));
  const standing = await joinStore({ ...deps, store, leads, signal });
  requireNoneLost(leader, Math.max(standing.storedBlock, standing.publishedBlock));
  return { store, standing, leader, instance: await keptInstance(deps.setup) };
}

function requireNoneLost(leader: LeaderRecord | undefined, newest: number): void {
  if (leader === undefined || leader.newestBlock <= newest) return;
  throw new NodeError("NODE_DEPOSED", lostText(leader.newestBlock, newest));
}
