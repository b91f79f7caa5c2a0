import { ConfigError } from "#base/errors/index.ts";
import { hexFromFelt, type Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import { type ObjectStore, probeStore } from "#io/objects/index.ts";
import {
  BundleStore,
  type ChainRecord,
  claimChain,
  type Patience,
  readChain,
  requireSameChain,
  type ChainPosition,
} from "#services/replication/index.ts";
import type { PreparedFolder } from "../storage/folder/prepared-folder.ts";
import { hasSigningKey, loadSigningKey, requireSigningKey } from "../storage/folder/signing-key.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { reconcileFolder } from "./reconcile-folder.ts";
import { ReconcileLog } from "./reconcile-log.ts";

/** Dependencies of {@link joinStore}. */
export interface JoinDeps {
  readonly setup: NodeSetup;
  readonly prepared: Pick<PreparedFolder, "folder" | "isResumed">;
  readonly store: ObjectStore;
  /** Whether the node will produce blocks; otherwise it follows the leader. */
  readonly leads: boolean;
  readonly log: Logger;
  readonly timer: Timer;
  /** Aborted when the start is cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Probes a store, and checks that it belongs to the chain, before any of its content is trusted.
 *
 * @throws {ConfigError} when it is another chain's, or a standby has no key
 * @throws {ObjectStoreError} when it refuses, or does not support the conditional writes that all of this
 *   relies on
 * @throws {NodeError} NODE_STOPPED when the start is cancelled
 */
export async function checkStore(deps: Omit<JoinDeps, "prepared">): Promise<void> {
  const { setup, store, leads } = deps;
  const patience = patienceOf(deps);
  const { signingKey } = setup.files;
  // A follower must not create a new key.
  if (!leads) requireSigningKey(signingKey);
  const { timer, signal, onWaiting } = patience;
  await probeStore(store, { timer, signal, onWaiting: ({ why }) => onWaiting(why) });
  const there = await readChain(store, patience);
  if (there === undefined) return;
  // Neither must a sequencer whose chain exists.
  if (!hasSigningKey(signingKey)) throw keyMissing(store, there);
  requireSameChain(store, there, chainRecordOf(setup));
}

/**
 * Aligns a sequencer's data directory with the published chain, before anything of it is served or built on.
 *
 * @throws {AppError} as {@link checkStore} and {@link reconcileFolder}
 */
export async function joinStore(deps: JoinDeps): Promise<ChainPosition> {
  const { setup, prepared, store, leads, log, timer, signal } = deps;
  if (leads) await claimKept(deps);
  const reconcileLog = new ReconcileLog(log, timer);
  return reconcileFolder({
    setup,
    store: store.name,
    bundles: new BundleStore(store, timer),
    leads,
    isNew: !prepared.isResumed,
    tell: (event) => reconcileLog.tell(event),
    timer,
    signal,
  });
}

function keyMissing({ name }: ObjectStore, { publicKey }: ChainRecord): ConfigError {
  return new ConfigError(`${name} is the store of another chain: 1 difference`, [
    {
      path: "public half of the block-signing key",
      line: 0,
      message: `the store's chain has ${hexFromFelt(publicKey)}, and the data directory has no key; give that one with --private-key-file`,
    },
  ]);
}

/**
 * Claims the chain. From then on, the folder is kept even if the start fails: other nodes may know the chain.
 */
async function claimKept(deps: JoinDeps): Promise<void> {
  const { setup, prepared, store } = deps;
  try {
    await claimChain(store, chainRecordOf(setup), patienceOf(deps));
  } catch (error) {
    // The store belongs to another chain, so no other node knows this one.
    if (!(error instanceof ConfigError)) prepared.folder.keep();
    throw error;
  }
  prepared.folder.keep();
}

/** Makes a start wait for its store without a limit, until it is cancelled. */
export function patienceOf({
  log,
  timer,
  signal,
}: Pick<JoinDeps, "log" | "timer" | "signal">): Patience {
  const reconcileLog = new ReconcileLog(log, timer);
  return { timer, signal, onWaiting: (reason) => reconcileLog.waiting(reason) };
}

/** Returns a sequencer's chain in the form that the store records. */
export function chainRecordOf({ config, files }: NodeSetup): ChainRecord {
  return {
    chainId: config.chainId,
    publicKey: loadSigningKey(files.signingKey).publicKey,
    nativeFeeToken: config.nativeFeeTokenAddress,
    parentFeeToken: config.parentFeeTokenAddress,
  };
}
