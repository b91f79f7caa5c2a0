import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import { CommitterService, IdlePruning, openGate, settleOnL1 } from "#services/sequencer/index.ts";
import { openGuard } from "../folder/open-guard.ts";
import { loadSigningKey } from "../folder/signing-key.ts";
import { fail, type WorkerContext, type WorkerService } from "../threads/runtime.ts";

/**
 * Opens the chain for writing and starts the committer.
 *
 * @throws {StorageError} when a file cannot be opened
 * @throws {ConfigError} when there is no key to sign with
 */
export async function startCommitter({
  setup: { config, files, storage },
  main,
  connect,
  connectQueries,
}: WorkerContext<"committer">): Promise<WorkerService> {
  const database = await openDatabase({
    path: files.chainDatabase,
    chainId: config.chainId,
    mode: "writer",
    durability: "full",
  });
  const { guard, close } = openGuard(files.commitJournal);
  const readers = [connect("admission"), ...connectQueries()];
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
  const service = new CommitterService({
    ports: { executor: connect("executor"), readers, main },
    chain,
    writer,
    guard,
    gate: openGate,
    signingKey: loadSigningKey(files.signingKey).privateKey,
    timer: SYSTEM_TIMER,
    afterAccepted() {
      database.checkpointIfLong();
      pruning.touch();
    },
    onFailure: fail,
  });
  service.start();
  pruning.touch();
  main.listen((message) => {
    main.send(settleOnL1({ chain, writer }, message));
    pruning.touch();
  });
  return {
    async stop() {
      pruning.stop();
      await service.stop();
      close();
      database.checkpoint();
      database.close();
    },
  };
}
