import { memoryOf } from "./memory-of.ts";
import { progress } from "./progress.ts";
import type { Results } from "./results.ts";
import { type Server, startServer } from "./server.ts";

/** Default number of funded accounts of both. */
const ACCOUNTS = 10;
const IDLE_MS = 3_000;

/** Measures rows of the start, in turn, the order reversed each round. */
export async function measureStart(
  servers: readonly Server[],
  rounds: number,
  results: Results,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    progress(`start, round ${round + 1} of ${rounds}`);
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      await using running = await startServer(server, ACCOUNTS);
      await Bun.sleep(IDLE_MS);
      const { anonymousMiB, residentMiB } = memoryOf(running.pid);
      results.note(server.name, {
        start: running.startMs,
        "start-anonymous": anonymousMiB,
        "start-resident": residentMiB,
      });
    }
  }
}
