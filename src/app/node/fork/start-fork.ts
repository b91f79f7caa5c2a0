import { invariant } from "#base/errors/index.ts";
import { feltFromShortString, SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createOriginSource, ForkCache, OriginRemote, OriginTally } from "#io/origin/index.ts";
import { openForkStore } from "#io/storage/index.ts";
import type { WorkerContext, WorkerService } from "../threads/runtime.ts";
import { MainCompiler } from "./main-compiler.ts";
import { OriginThread } from "./origin-thread.ts";
import { remoteOptions } from "../setup/fork/remote-options.ts";
import { shippedAccountClass, shippedCasm } from "../setup/shipped-classes.ts";
import { usualReads } from "./usual-reads.ts";

/** Limits of the cache: values wait at most this long for their write, or until this many wait. */
const FLUSH_MS = 50;
const FLUSH_COUNT = 100;
/** Time until the next attempt to write after a failure, in milliseconds. */
const RETRY_MS = 5_000;
/** Maximum size of values in memory, in bytes. */
const MEMORY_BYTES = 64 << 20;

/**
 * Opens the cache of the origin's values, and starts the thread that reads the origin. Requests begin once the
 * main thread has sent the addresses.
 *
 * @throws {StorageError} when the cache cannot be opened, or belongs to another fork
 */
export async function startFork(context: WorkerContext<"fork">): Promise<WorkerService> {
  const { setup, main } = context;
  const { fork } = setup;
  invariant(fork !== null, "the chain of a fork thread is a fork");
  const { pin } = fork;
  const tally = new OriginTally({ kind: "up", sinceUnixMs: Date.now() });
  const store = await openForkStore({
    path: fork.database,
    fork: pin,
    maxLimitedBytes: fork.maxLimitedBytes,
  });
  const cache = new ForkCache({
    store,
    timer: SYSTEM_TIMER,
    flushMs: FLUSH_MS,
    flushCount: FLUSH_COUNT,
    retryMs: RETRY_MS,
    memoryBytes: MEMORY_BYTES,
    observer: tally,
  });
  const ending = new AbortController();
  const compiler = new MainCompiler(shippedCasm, (message) => main.send(message));
  const thread = new OriginThread({
    main,
    executor: context.connect("executor"),
    waiting: [
      context.connect("admission"),
      ...context.connectValidators(),
      ...context.connectQueries(),
    ],
    compiler,
    tally,
    timer: SYSTEM_TIMER,
    usual: usualReads(setup.config, [shippedAccountClass()], fork.forkBlock),
    open({ urls, headers }) {
      const remote = new OriginRemote(
        remoteOptions(
          { urls, headers, timeoutMs: fork.timeoutMs, concurrency: fork.concurrency },
          { compiler, observer: tally, signal: ending.signal },
        ),
      );
      const source = createOriginSource({ remote, cache, timer: SYSTEM_TIMER, observer: tally });
      // Values in the cache do not wait for the origin.
      const repinned = remote.repin({ ...pin.header, chainId: feltFromShortString(pin.chainId) });
      return { source, repinned };
    },
  });
  thread.start();
  return {
    forget: () => undefined,
    probe: () => undefined,
    stop() {
      thread.stop();
      ending.abort();
      cache.close();
    },
  };
}
