import { StorageError } from "#base/errors/index.ts";
import { unwindStored } from "../folder/revert-stored.ts";
import { fail, type WorkerContext, type WorkerService } from "../threads/runtime.ts";

/** Takes the stored chain back when it is told to, and reports how far it is. */
export function startUnwinder({ setup, main }: WorkerContext<"unwinder">): WorkerService {
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
}
