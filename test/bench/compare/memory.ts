import { progress } from "./progress.ts";
import type { Results } from "./results.ts";
import { memoryOf, type Server, startServer } from "./server.ts";
import { TransferProcess } from "./transfer-process.ts";

const TRANSFERS = 100_000;
/** Between two looks at memory. */
const STEP = 5_000;
const SENDERS = 256;
const IN_FLIGHT = 64;
const IDLE_MS = 30_000;

/**
 * Rows of memory: once for each server. One whose resident memory passes a bound is stopped, and
 * has no rows then: how far it came is printed.
 *
 * @param mostResidentMiB - the bound
 */
export async function measureMemory(
  servers: readonly Server[],
  mostResidentMiB: number,
  results: Results,
): Promise<void> {
  for (const server of servers) {
    await using running = await startServer(server, Math.min(SENDERS, server.mostAccounts));
    using transfers = new TransferProcess();
    await transfers.sign(server.chainId, running.accounts, TRANSFERS);
    const { port } = running;
    const bytesBefore = running.diskBytes();
    let seconds = 0;
    let from = 0;
    for (; from < TRANSFERS; from += STEP) {
      const order = { port, from, count: STEP, connections: IN_FLIGHT, perSecond: 0 };
      seconds += (await transfers.post(order)).seconds;
      const { anonymousMiB, residentMiB } = memoryOf(running.pid);
      progress(
        `  ${server.name}: ${from + STEP} transfers, ${anonymousMiB.toFixed(0)} MiB anonymous, ${residentMiB.toFixed(0)} MiB resident`,
      );
      if (residentMiB > mostResidentMiB) break;
    }
    if (from < TRANSFERS) {
      progress(`  ${server.name} was stopped: more than ${mostResidentMiB.toFixed(0)} MiB`);
      continue;
    }
    const after = memoryOf(running.pid);
    await Bun.sleep(IDLE_MS);
    const idle = memoryOf(running.pid);
    await running.stop();
    const bytes = running.diskBytes() - bytesBefore;
    results.note(server.name, {
      "anonymous-100000": after.anonymousMiB,
      "resident-100000": after.residentMiB,
      "rate-100000": TRANSFERS / seconds,
      ...(bytes > 0 ? { "disk-100000": bytes / TRANSFERS } : {}),
      "idle-anonymous": idle.anonymousMiB,
    });
  }
}
