import { StorageError } from "#base/errors/index.ts";
import { unwindStored } from "../unwind-stored.ts";
import { fail, runWorker } from "./runtime.ts";

runWorker("unwinder", ({ setup, main }) => {
  const unwind = async (order: Parameters<typeof unwindStored>[1]): Promise<void> => {
    try {
      await unwindStored(setup, order, (progress) => main.send({ kind: "unwinding", progress }));
      main.send({ kind: "unwound", refusal: null });
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      const { code, message } = error;
      main.send({ kind: "unwound", refusal: { code, message } });
    }
  };
  main.listen(({ order }) => {
    unwind(order).catch(fail);
  });
  return { stop: () => undefined };
});
