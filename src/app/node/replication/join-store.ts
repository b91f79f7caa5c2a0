import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import { type ObjectStore, probeStore } from "#io/objects/index.ts";
import {
  BundleStore,
  type ChainRecord,
  claimChain,
  readChain,
  requireSameChain,
  type Standing,
} from "#services/replication/index.ts";
import type { PreparedFolder } from "../folder/prepared-folder.ts";
import { loadSigningKey, requireSigningKey } from "../folder/signing-key.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { reconcileFolder } from "./reconcile-folder.ts";
import { ReconcileLog } from "./reconcile-log.ts";

/** What joining works with. */
export interface JoinDeps {
  readonly setup: NodeSetup;
  readonly prepared: Pick<PreparedFolder, "folder" | "isResumed">;
  readonly store: ObjectStore;
  /** It is going to make blocks; else it follows whoever does. */
  readonly leads: boolean;
  readonly log: Logger;
  readonly timer: Timer;
  /** The start is called off. */
  readonly signal: AbortSignal;
}

/**
 * Puts the data directory of a sequencer in its place among those that share its chain, before anything of
 * it is served or built on.
 *
 * @throws {ConfigError} when the store is another chain's
 * @throws {ObjectStoreError} when the store refuses, or does not keep the conditions that all of this rests on
 * @throws {AppError} as {@link reconcileFolder}
 */
export async function joinStore(deps: JoinDeps): Promise<Standing> {
  const { setup, prepared, store, leads, log, timer, signal } = deps;
  const told = new ReconcileLog(log, timer);
  const patience = { timer, signal, onWaiting: (reason: string) => told.waiting(reason) };
  // Whoever follows is not to make a key of its own.
  if (!leads) requireSigningKey(setup.files.signingKey);
  await probeStore(store, { timer, signal, onWaiting: ({ why }) => told.waiting(why) });
  const ours = chainRecordOf(setup);
  const there = await readChain(store, patience);
  if (there !== undefined) requireSameChain(store, there, ours);
  if (leads) {
    // What others know of must not go with a start that fails later.
    prepared.folder.keep();
    await claimChain(store, ours, patience);
  }
  return reconcileFolder({
    setup,
    store: store.name,
    bundles: new BundleStore(store, timer),
    leads,
    isNew: !prepared.isResumed,
    tell: (event) => told.tell(event),
    timer,
    signal,
  });
}

/** The chain of a sequencer, as a store tells it. */
export function chainRecordOf({ config, files }: NodeSetup): ChainRecord {
  return {
    chainId: config.chainId,
    publicKey: loadSigningKey(files.signingKey).publicKey,
    nativeFeeToken: config.nativeFeeTokenAddress,
    parentFeeToken: config.parentFeeTokenAddress,
  };
}
