import { threadProcessorMs } from "#app/node/threads/health/processor-time.ts";
import { batchedPort } from "#app/node/threads/batched-port.ts";
import { runWorker } from "#app/node/threads/runtime.ts";

// Fake admission thread: answers the main thread after the milliseconds of processor time in the
// request's id beyond a thousand; wakes the executor for each request; reports calls of `forget`.
// Its disk hangs while the cancel flag is 1, its start lasts while it is 2.
runWorker("admission", async ({ main: batches, connect, connectQueries, cancelFlag }) => {
  const main = batchedPort(batches, (flush) => flush());
  // Messages during this time are queued.
  await Bun.sleep(10);
  const flag = new Int32Array(cancelFlag);
  while (Atomics.load(flag, 0) === 2) await Bun.sleep(1);
  const executor = connect("executor");
  executor.listen(({ kind }) => {
    if (kind === "take") executor.send({ kind: "wake", coming: 0 });
  });
  main.listen((message) => {
    if (message.kind === "rejection") throw new RangeError("no such thing");
    const { id, position } = message;
    const endMs = threadProcessorMs() + id - 1_000;
    while (threadProcessorMs() < endMs);
    main.send({ kind: "rejectionFound", id, reason: null, position });
  });
  return {
    forget() {
      main.send({
        kind: "mempoolSize",
        waiting: 0,
        position: { accepted: 0, blockNumber: 0, sequence: 0, generation: 0 },
      });
    },
    probe: () => void Atomics.wait(flag, 0, 1),
    async stop() {
      await Bun.sleep(10);
      main.send({
        kind: "mempoolSize",
        waiting: connectQueries().length,
        position: { accepted: 0, blockNumber: 0, sequence: 0, generation: 0 },
      });
    },
  };
});
