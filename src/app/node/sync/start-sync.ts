import { invariant } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import { IdlePruning } from "#services/sequencer/index.ts";
import { SyncService, VerifierClient } from "#services/sync/index.ts";
import { DiskProbe } from "../threads/health/disk-probe.ts";
import { Pulse } from "../threads/health/pulse.ts";
import { fail, type WorkerContext, type WorkerService } from "../threads/runtime.ts";
import { openBlockSource } from "./block-source.ts";
import { createReexecution } from "./reexecution.ts";
import { syncSettings } from "./sync-settings.ts";

/**
 * Opens the chain for writing and starts following.
 *
 * @throws {StorageError} when a file cannot be opened
 * @throws {ConfigError} as {@link openBlockSource}
 */
export async function startSync(context: WorkerContext<"sync">): Promise<WorkerService> {
  const { setup, main, connect, connectQueries } = context;
  const { config, files, storage, follow } = setup;
  invariant(follow !== null, "a full node has something to follow");
  const progress = new Pulse(context.pulse);
  const disk = new DiskProbe(files.diskProbe);
  const abort = new AbortController();
  const database = await openDatabase({
    path: files.chainDatabase,
    chainId: config.chainId,
    mode: "writer",
    // Blocks lost in a power failure are fetched again.
    durability: "normal",
  });
  const writer = createChainWriter(database, storage);
  const chain = createChainReader(database);
  const source = openBlockSource({
    ...{ setup, chain },
    onRequestEnded: (asked) => main.send(asked),
    signal: abort.signal,
  });
  const execution = createReexecution(context, follow, chain);
  const pruning = new IdlePruning({
    prune() {
      const isLeft = writer.pruneMore();
      database.checkpointIfLong();
      return isLeft;
    },
    timer: SYSTEM_TIMER,
    onFailure: fail,
  });
  const verifier = new VerifierClient(connect("verifier"));
  const service = new SyncService(
    {
      ports: { readers: connectQueries(), main },
      source,
      verifier,
      abortRequests() {
        abort.abort();
        verifier.stop();
        execution.stop();
      },
      execution: execution.verifier,
      chain,
      writer,
      timer: SYSTEM_TIMER,
      yieldToOthers: () => new Promise((resolve) => void setImmediate(resolve)),
      // No checkpoint here: during sync the write-ahead log grows, so that pages changed by many blocks are
      // written once. The first pause writes it back.
      afterAccepted() {
        progress.beat();
        pruning.touch();
      },
      onFailure: fail,
    },
    syncSettings(setup, follow),
  );
  service.start();
  pruning.touch();
  return {
    forget() {
      writer.forgetTries();
      database.shrink();
    },
    probe: () => disk.touch(),
    async stop() {
      pruning.stop();
      await service.stop();
      database.checkpoint();
      database.close();
      disk.close();
    },
  };
}
