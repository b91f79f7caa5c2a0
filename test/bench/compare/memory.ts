import { progress } from "./progress.ts";
import { type Results, short } from "./results.ts";
import { memoryOf } from "./memory-of.ts";
import { type Server, startServer } from "./server.ts";
import { TransferProcess } from "./transfer-process.ts";

const TRANSFERS = 100_000;
/** Transfers between two measurements of memory. */
const STEP = 5_000;
const SENDERS = 64;
const IN_FLIGHT = 64;
const IDLE_MS = 30_000;

/**
 * Measures rows of memory, once for each server. A server above its memory bound is stopped early.
 */
export async function measureMemory(servers: readonly Server[], results: Results): Promise<void> {
  for (const server of servers) {
    await using running = await startServer(server, SENDERS);
    using transfers = new TransferProcess();
    await transfers.sign(server.chainId, running.accounts, TRANSFERS);
    const bytesBefore = running.diskBytes();
    let seconds = 0;
    let from = 0;
    let isStopped = false;
    while (from < TRANSFERS && !isStopped) {
      const order = { ...running.target, from, count: STEP, connections: IN_FLIGHT, perSecond: 0 };
      const report = await transfers.post(order);
      seconds += report.seconds;
      from += report.posted;
      isStopped = report.posted < STEP;
      const { anonymousMiB, residentMiB } = memoryOf(running.pid);
      progress(
        `  ${server.name}: ${from} transfers, ${anonymousMiB.toFixed(0)} MiB anonymous, ${residentMiB.toFixed(0)} MiB resident`,
      );
    }
    if (isStopped) {
      const text = `is stopped after ${short(from)} with ${short(memoryOf(running.pid).residentMiB)} MiB`;
      for (const id of ["anonymous-100000", "resident-100000", "idle-anonymous"]) {
        results.remark(server.name, id, text);
      }
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
