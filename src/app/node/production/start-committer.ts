import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import type { BlockBundle } from "#protocol/chain/index.ts";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import { openObjectStore, readObjectStoreKeys } from "#io/objects/index.ts";
import { BundleStore, storeGate } from "#services/replication/index.ts";
import {
  CommitterService,
  IdlePruning,
  openGate,
  type PublishGate,
  settleOnL1,
} from "#services/sequencer/index.ts";
import { openGuard } from "../storage/folder/open-guard.ts";
import { isSigned } from "../storage/folder/signed-bundle.ts";
import { loadSigningKey } from "../storage/folder/signing-key.ts";
import { DiskProbe } from "../threads/health/disk-probe.ts";
import { Pulse } from "../threads/health/pulse.ts";
import { startHashHelpers } from "./hash-helpers.ts";
import { withoutRehearsals, rehearsalChain } from "./rehearsal-chain.ts";
import { prepareStatements } from "../threads/warm-up/prepare-statements.ts";
import type { GateSetup } from "../setup/replication.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { fail, type WorkerContext, type WorkerService } from "../threads/runtime.ts";

/**
 * Opens the chain for writing and starts the committer.
 *
 * @throws {StorageError} when a file cannot be opened
 * @throws {ConfigError} when the signing key is missing, or the keys of the gate's store are
 */
export async function startCommitter(context: WorkerContext<"committer">): Promise<WorkerService> {
  const { setup, main, connect, connectQueries, connectValidators } = context;
  const { config, files, storage, gate, hashThreads } = setup;
  const database = await openDatabase({
    path: files.chainDatabase,
    chainId: config.chainId,
    mode: "writer",
    durability: "full",
  });
  const progress = new Pulse(context.pulse);
  const { guard, close } = openGuard(files.commitJournal, () => progress.beat());
  const disk = new DiskProbe(files.diskProbe);
  const readers = [connect("admission"), ...connectQueries(), ...connectValidators()];
  const chain = createChainReader(database);
  const writer = createChainWriter(database, storage);
  const pruning = new IdlePruning({
    prune() {
      const isLeft = writer.pruneMore();
      database.checkpointIfLong();
      return isLeft;
    },
    timer: SYSTEM_TIMER,
    onFailure: fail,
  });
  const helpers = startHashHelpers(hashThreads, context, fail);
  const end = new AbortController();
  const signingKey = loadSigningKey(files.signingKey).privateKey;
  const { pedersen } = helpers;
  const committed = { chainId: config.chainId, storage, pedersen, signingKey };
  const rehearsals = rehearsalChain({ ...committed, timer: SYSTEM_TIMER, onFailure: fail });
  const executor = withoutRehearsals(connect("executor"), rehearsals);
  const service = new CommitterService({
    ports: { executor, readers, main },
    chain,
    writer,
    guard,
    gate: gate === null ? openGate : gateOf(gate, setup, end.signal),
    epoch: gate?.epoch ?? null,
    pedersen,
    signingKey,
    timer: SYSTEM_TIMER,
    afterAccepted() {
      database.checkpointIfLong();
      pruning.touch();
    },
    onFailure: fail,
  });
  service.start();
  const preparing = prepareStatements(setup, [database.statements], SYSTEM_TIMER);
  pruning.touch();
  main.listen((message) => {
    main.send(settleOnL1({ chain, writer }, message));
    pruning.touch();
  });
  return {
    forget() {
      rehearsals.close().catch(fail);
      writer.forgetTries();
      database.shrink();
    },
    probe: () => disk.touch(),
    async stop() {
      preparing.stop();
      pruning.stop();
      await rehearsals.close();
      await service.stop();
      await helpers.stop();
      end.abort();
      close();
      database.checkpoint();
      database.close();
      disk.close();
    },
  };
}

/** Publish gate of a store, with this thread's own connection to it. */
function gateOf({ store }: GateSetup, setup: NodeSetup, signal: AbortSignal): PublishGate {
  const objects = openObjectStore(store, readObjectStoreKeys(store, process.env), signal);
  const bundles = new BundleStore(objects, SYSTEM_TIMER);
  const isOfChain = (bundle: BlockBundle): boolean => isSigned(bundle, setup);
  return storeGate({ bundles, isOfChain, timer: SYSTEM_TIMER });
}
