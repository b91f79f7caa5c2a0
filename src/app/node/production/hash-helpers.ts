import type { NodeError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createPedersenPage, SharedPedersen } from "#protocol/crypto/index.ts";
import { PEDERSEN, type TrieHash } from "#protocol/trie/index.ts";
import { processProcessorMs } from "../threads/health/processor-time.ts";
import { createPulsePage } from "../threads/health/pulse.ts";
import type { WorkerInit } from "../threads/protocol.ts";
import { spawnWorker, startWorker, stopWorker } from "../threads/spawn.ts";

/** Time for the threads to finish their current hashes. */
const STOP_MS = 1_000;

/** Pedersen hashes computed by the calling thread and its helpers. */
export interface HashHelpers {
  readonly pedersen: TrieHash;
  /** Stops the threads. Nothing may be hashed afterwards. */
  stop(): Promise<void>;
}

/**
 * Starts threads that help the calling one with large batches. Until they run, or if `count` is 0, it hashes
 * alone.
 *
 * @param init - init message of the calling thread
 * @param onFailure - called when a helper does not start or dies: the calling thread could wait for it
 *   forever
 */
export function startHashHelpers(
  count: number,
  init: Omit<WorkerInit, "index" | "ports" | "growth" | "pulse">,
  onFailure: (error: unknown) => void,
): HashHelpers {
  if (count === 0) return { pedersen: PEDERSEN, stop: () => Promise.resolve() };
  const page = createPedersenPage();
  const shared = new SharedPedersen(page);
  const { startTimeoutMs } = init.setup;
  const deps = { startTimeoutMs, processorMs: processProcessorMs, timer: SYSTEM_TIMER };
  const start = (_: unknown, i: number) => {
    const thread = spawnWorker(`hasher-${i}`, (error: NodeError) => onFailure(error), deps);
    const { setup, cancelFlag, memoryPermits, retainedMemory } = init;
    const parts = { setup, index: i, cancelFlag, memoryPermits, retainedMemory };
    const pulse = createPulsePage();
    const started = startWorker(thread, { ...parts, pulse, ports: {}, growth: null }, SYSTEM_TIMER);
    started.catch(onFailure);
    thread.port.send({ kind: "help", page });
    return thread;
  };
  const threads = Array.from({ length: count }, start);
  return {
    pedersen: { ...PEDERSEN, pairs: shared.pairs },
    async stop() {
      shared.close();
      const stops = threads.map((each) => stopWorker(each, STOP_MS, SYSTEM_TIMER, "terminate"));
      await Promise.all(stops);
    },
  };
}
