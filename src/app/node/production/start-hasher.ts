import { runPedersenHelper } from "#protocol/crypto/index.ts";
import type { WorkerContext, WorkerService } from "../threads/runtime.ts";

/**
 * Starts a hasher thread: it computes Pedersen hashes that the executor's side puts on a shared page, until
 * that page is closed. Meanwhile the thread handles no messages.
 */
export function startHasher({ main }: Pick<WorkerContext<"hasher">, "main">): WorkerService {
  main.listen(({ page }) => runPedersenHelper(page));
  return { forget: () => undefined, probe: () => undefined, stop: () => undefined };
}
