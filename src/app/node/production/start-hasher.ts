import { runPedersenHelper } from "#protocol/crypto/index.ts";
import type { WorkerContext, WorkerService } from "../threads/runtime.ts";

/** Helps with hashing until the page is closed; handles no messages meanwhile. */
export function startHasher({ main }: Pick<WorkerContext<"hasher">, "main">): WorkerService {
  main.listen(({ page }) => runPedersenHelper(page));
  return { forget: () => undefined, probe: () => undefined, stop: () => undefined };
}
