import { NodeError } from "#base/errors/index.ts";
import { SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import { queryThreadCount } from "../machine/query-threads.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { type Spawn, ThreadCrew, type ThreadsListener } from "./thread-crew.ts";
import { type NodeThread, ThreadEnds } from "./thread-ends.ts";
import type { ThreadName } from "./protocol.ts";
import { spawnWorker } from "./spawn.ts";

/** The threads of a sequencer. */
export interface NodeThreads {
  /** Settles when all threads have started. */
  readonly started: Promise<void>;
  readonly admission: NodeThread<"admission">;
  readonly executor: NodeThread<"executor">;
  readonly committer: NodeThread<"committer">;
  readonly queries: readonly NodeThread<"query">[];
  /**
   * Stops all threads, has `work` done while none of them has a file open, and starts them again, also
   * when `work` fails. Ports and flags stay the same; what is sent meanwhile arrives afterwards.
   *
   * @throws what `work` throws, and {@link NodeError} when a thread does not start again, or the node
   *   is stopping
   */
  restart(work: () => Promise<void>): Promise<void>;
  /** As {@link ThreadCrew.stop}; after a restart that is under way. */
  stop(): Promise<void>;
}

/** Surroundings that tests replace. */
export interface ThreadsPorts {
  readonly spawn?: Spawn;
  readonly timer?: Timer;
}

/**
 * Starts every thread and connects those that talk to each other. The executor comes last: when it
 * produces its first block, everybody listens.
 *
 * Messages sent to a thread before `started` settles are handled once it has started.
 *
 * @throws {NodeError} (in `started`) when a thread does not start
 */
export function startThreads(
  setup: NodeSetup,
  listener: ThreadsListener,
  { spawn = spawnWorker, timer = SYSTEM_TIMER }: ThreadsPorts = {},
): NodeThreads {
  const ends = new ThreadEnds();
  const committer = ends.make("committer");
  const admission = ends.make("admission");
  const queries = Array.from({ length: queryThreadCount() }, (_, i) => ends.make(`query-${i}`));
  const executor = ends.make("executor");
  const parts = { setup, flagOf: (name: ThreadName) => ends.flagOf(name), listener, spawn, timer };
  const newCrew = (): ThreadCrew =>
    new ThreadCrew(parts, ends.names, (name, port) => ends.connect(name, port));
  let crew = newCrew();
  /** Ends with the restarts that were asked for; `undefined` when there is none. */
  let restarting: Promise<void> | undefined;
  let isStopped = false;
  const restart = async (work: () => Promise<void>): Promise<void> => {
    if (isStopped) throw new NodeError("NODE_STOPPING", "the node is stopping");
    await crew.stop();
    ends.disconnect();
    try {
      await work();
    } finally {
      ends.lowerFlags();
      crew = newCrew();
      await crew.started;
    }
  };
  return {
    started: crew.started,
    admission,
    executor,
    committer,
    queries,
    restart(work) {
      const done = (restarting ?? Promise.resolve()).then(() => restart(work));
      // The next one, and a stop, begin when this one has ended, however it ended.
      const ended = done
        .catch(() => undefined)
        .then(() => {
          if (restarting === ended) restarting = undefined;
        });
      restarting = ended;
      return done;
    },
    async stop() {
      isStopped = true;
      if (restarting !== undefined) await restarting;
      await crew.stop();
    },
  };
}
