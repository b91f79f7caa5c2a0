import { createRetainedMemory, createMemoryPermits } from "#engine/cairo/index.ts";
import { type NodeError, StorageError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { RevertProgress } from "#io/storage/index.ts";
import { createPulsePage } from "../../threads/health/pulse.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import type { Spawn } from "../../threads/thread-crew.ts";
import { startWorker, stopWorker } from "../../threads/spawn.ts";
import type { RevertMessages } from "../../threads/revert-messages.ts";
import type { RevertOrder } from "../../threads/revert-messages.ts";

/** Time for the thread to stop after its response. */
const STOP_MS = 2_000;

/**
 * Reverts the stored chain in a separate thread: it may take minutes, in which the main thread answers
 * requests.
 *
 * @throws {StorageError} when the chain cannot be reverted to that block; nothing was changed then
 * @throws {NodeError} when the thread does not start, or dies
 */
export async function revertInThread(
  setup: NodeSetup,
  order: RevertOrder,
  onProgress: (progress: RevertProgress) => void,
  { spawn, timer }: { readonly spawn: Spawn; readonly timer: Timer },
): Promise<void> {
  const died = Promise.withResolvers<never>();
  // Prevents an unhandled rejection when nothing awaits it, as after an orderly end.
  died.promise.catch(() => undefined);
  const thread = spawn("reverter", (error: NodeError) => died.reject(error));
  thread.onReport((report) => {
    if (report.kind === "failed") died.reject(new StorageError("STORAGE_FAILED", report.reason));
  });
  try {
    await startWorker(
      thread,
      {
        setup,
        index: 0,
        ports: {},
        growth: null,
        cancelFlag: new SharedArrayBuffer(4),
        memoryPermits: createMemoryPermits(1).buffer,
        retainedMemory: createRetainedMemory().buffer,
        pulse: createPulsePage(),
      },
      timer,
    );
    const over = new Promise<RevertMessages["from"] & { kind: "reverted" }>((resolve) => {
      thread.port.listen((message) => {
        if (message.kind === "reverted") resolve(message);
        else onProgress(message.progress);
      });
    });
    thread.port.send({ kind: "revert", order });
    const { refusal } = await Promise.race([over, died.promise]);
    if (refusal !== null) {
      throw new StorageError(refusal.code as `STORAGE_${string}`, refusal.message);
    }
  } finally {
    await stopWorker(thread, STOP_MS, timer, "terminate");
  }
}
