/**
 * Threads: starts those that the role names, and watches them.
 *
 * - Options: `threadOptions`.
 * - Threads: those of the role's plan, and `explorer` with that option. Each entry, `NAME.thread.ts`, is in the
 *   folder of its part.
 * - Needs: the role to start in, and the setup that its threads get.
 * - Offers: {@link StartedThreads}: the main thread's ends, restarts, and threads for single tasks.
 * - Ready: once `threads.started` settles. Messages sent before are handled afterwards.
 * - Stops: in the stages of the plan. A thread that dies or fails stops the node with exit code 1.
 */
import type { threadOptions } from "#app/options/index.ts";
import { ThreadMemory, threadMemoryPorts } from "./health/thread-memory.ts";
import { processProcessorMs } from "./health/processor-time.ts";
import { validatorCount } from "../setup/admission-threads.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { blameThread } from "./blame-thread.ts";
import { NodeThreads } from "./node-threads.ts";
import type { Role } from "./roles/role.ts";
import { spawnWorker } from "./spawn.ts";
import type { Spawn, ThreadsListener } from "./thread-crew.ts";

/** Other parts of the node that {@link startThreads} uses. */
export interface ThreadsNeeds {
  readonly role: Pick<Role, "threads">;
  readonly setup: NodeSetup;
}

/** Running threads. */
export interface StartedThreads {
  readonly threads: NodeThreads;
  /** Starts a thread for a single task. */
  readonly spawn: Spawn;
}

/** Starts the threads of a role without waiting for them. */
export function startThreads(
  options: Pick<NodeOptions, keyof typeof threadOptions>,
  { role, setup }: ThreadsNeeds,
  { lifecycle, timer, threadEnd, disposables }: NodeHost,
): StartedThreads {
  const loading = {
    startTimeoutMs: options.startTimeoutMs,
    processorMs: processProcessorMs,
    timer,
  };
  const spawn: Spawn = (name, onDeath) => spawnWorker(name, onDeath, loading);
  const listener: ThreadsListener = {
    onDeath: (error, thread) => blameThread(setup.files, thread, error),
    onFailure: (error) => lifecycle.fail(error),
  };
  const threads = new NodeThreads(role.threads, {
    setup,
    // On a fork, one more waits for the origin.
    queryThreads: options.queryThreads + (setup.fork === null ? 0 : 1),
    validators: validatorCount(options.admissionThreads),
    added: setup.explorer ? ["explorer"] : [],
    listener,
    spawn,
    timer,
  });
  // Those of a fork may end while the process continues.
  disposables.defer(() => threads.stop(setup.fork === null ? threadEnd : "terminate"));
  const memory = new ThreadMemory(threadMemoryPorts({ forget: () => undefined }));
  memory.start();
  disposables.defer(() => memory.stop());
  return { threads, spawn };
}
