import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import { CommitterService, openGate } from "#services/sequencer/index.ts";
import { openGuard } from "../open-guard.ts";
import { loadSigningKey } from "../signing-key.ts";
import { fail, runWorker } from "./runtime.ts";

runWorker(
  "committer",
  async ({ setup: { config, files, storage }, main, connect, connectQueries }) => {
    const database = await openDatabase({
      path: files.chainDatabase,
      chainId: config.chainId,
      mode: "writer",
      durability: "full",
    });
    const { guard, close } = openGuard(files.commitJournal);
    const readers = [connect("admission"), ...connectQueries()];
    const writer = createChainWriter(database, storage);
    const service = new CommitterService({
      ports: { executor: connect("executor"), readers, main },
      chain: createChainReader(database),
      writer,
      guard,
      gate: openGate,
      signingKey: loadSigningKey(files.signingKey).privateKey,
      timer: SYSTEM_TIMER,
      afterAccepted: () => database.checkpointIfLong(),
      onFailure: fail,
    });
    service.start();
    main.listen(({ id, blockNumber }) => {
      writer.setL1Accepted(blockNumber);
      main.send({ kind: "settledOnL1", id });
    });
    return {
      async stop() {
        await service.stop();
        close();
        database.checkpoint();
        database.close();
      },
    };
  },
);
