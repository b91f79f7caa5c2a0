import { helpPedersen } from "#protocol/crypto/index.ts";
import type { WorkerContext, WorkerService } from "../threads/runtime.ts";

/** Helps to hash until nobody asks any more; hears nothing meanwhile. */
export function startHasher({ main }: Pick<WorkerContext<"hasher">, "main">): WorkerService {
  main.listen(({ page }) => helpPedersen(page));
  return { forget: () => undefined, probe: () => undefined, stop: () => undefined };
}
