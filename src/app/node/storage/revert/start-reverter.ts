import { StorageError } from "#base/errors/index.ts";
import { revertStored } from "../folder/revert-stored.ts";
import { fail, type WorkerContext, type WorkerService } from "../../threads/runtime.ts";

/** Reverts the stored chain on request, and reports the progress. */
export function startReverter({ setup, main }: WorkerContext<"reverter">): WorkerService {
  const revert = async (order: Parameters<typeof revertStored>[1]): Promise<void> => {
    try {
      await revertStored(setup, order, (progress) => main.send({ kind: "reverting", progress }));
      main.send({ kind: "reverted", refusal: null });
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      const { code, message } = error;
      main.send({ kind: "reverted", refusal: { code, message } });
    }
  };
  main.listen(({ order }) => {
    revert(order).catch(fail);
  });
  return { forget: () => undefined, probe: () => undefined, stop: () => undefined };
}
