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
  type Standing,
} from "#services/replication/index.ts";
import type { PreparedFolder } from "../storage/folder/prepared-folder.ts";
import { hasSigningKey, loadSigningKey, requireSigningKey } from "../storage/folder/signing-key.ts";
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
 * Tries a store, and looks whether it is that of the chain, before anything there is believed.
 *
 * @throws {ConfigError} when it is another chain's, or a standby has no key
 * @throws {ObjectStoreError} when it refuses, or does not keep the conditions that all of this rests on
 * @throws {NodeError} NODE_STOPPED when the start is called off
 */
export async function checkStore(deps: Omit<JoinDeps, "prepared">): Promise<void> {
  const { setup, store, leads } = deps;
  const patience = patienceOf(deps);
  const { signingKey } = setup.files;
  // Whoever follows is not to make a key of its own.
  if (!leads) requireSigningKey(signingKey);
  const { timer, signal, onWaiting } = patience;
  await probeStore(store, { timer, signal, onWaiting: ({ why }) => onWaiting(why) });
  const there = await readChain(store, patience);
  if (there === undefined) return;
  // Nor is a sequencer whose chain exists.
  if (!hasSigningKey(signingKey)) throw keyMissing(store, there);
  requireSameChain(store, there, chainRecordOf(setup));
}

/**
 * Puts the data directory of a sequencer in its place among those that share its chain, before anything of
 * it is served or built on.
 *
 * @throws {AppError} as {@link checkStore} and {@link reconcileFolder}
 */
export async function joinStore(deps: JoinDeps): Promise<Standing> {
  const { setup, prepared, store, leads, log, timer, signal } = deps;
  if (leads) await claimKept(deps);
  const told = new ReconcileLog(log, timer);
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

function keyMissing({ name }: ObjectStore, { publicKey }: ChainRecord): ConfigError {
  return new ConfigError(`${name} is the store of another chain: 1 difference`, [
    {
      path: "public half of the block-signing key",
      line: 0,
      message: `the store's chain has ${hexFromFelt(publicKey)}, and the data directory has no key; give that one with --private-key-file`,
    },
  ]);
}

/** Claims the chain; what others may know of does not go with a start that fails then or later. */
async function claimKept(deps: JoinDeps): Promise<void> {
  const { setup, prepared, store } = deps;
  try {
    await claimChain(store, chainRecordOf(setup), patienceOf(deps));
  } catch (error) {
    // The store is another chain's: nobody knows of this one.
    if (!(error instanceof ConfigError)) prepared.folder.keep();
    throw error;
  }
  prepared.folder.keep();
}

/** How long a start waits for its store: until it is called off. */
export function patienceOf({
  log,
  timer,
  signal,
}: Pick<JoinDeps, "log" | "timer" | "signal">): Patience {
  const told = new ReconcileLog(log, timer);
  return { timer, signal, onWaiting: (reason) => told.waiting(reason) };
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
