/**
 * Fork: reads the network that a development chain was forked from.
 *
 * - Options: `fork`; of `rpc`, the time limit of a call.
 * - Threads: `fork` (`fork.thread.ts`), on forked chains. It alone sends requests to the origin and owns
 *   `fork.db`. Threads that read state wait for it in shared memory; the main thread never waits.
 * - Needs: the chain on the main thread, the fork thread, the compiler for classes of the origin.
 * - Offers: {@link Fork}: values of the origin for clients, and why the node is not ready.
 * - Metrics: `ForkMetrics`; one line per minute in the log.
 * - Ready: immediately; without the origin, with what the cache has.
 * - Stops: with the threads.
 */
import type { Client, FetchedOrigin } from "#api/rpc/index.ts";
import type { FetchedValue, OriginQuery } from "#io/origin/index.ts";
import type { ClassCompiler } from "#services/admission/index.ts";
import { originsOf } from "../setup/fork.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeThreads } from "../threads/node-threads.ts";
import { compileForOrigin } from "./compile-for-origin.ts";
import type { KnownOrigin } from "../setup/fork/known-origin.ts";
import { OriginClient } from "./origin-client.ts";
import { OriginTurns } from "./origin-turns.ts";
import { OriginLog } from "./origin-log.ts";

/** Other parts of the node that {@link openFork} uses. */
export interface ForkNeeds {
  readonly threads: Pick<NodeThreads, "end">;
  readonly compiler: { readonly service: Pick<ClassCompiler, "compile"> };
  /** Origin of the chain on the main thread; `null` on a chain that is no fork. */
  readonly storage: { readonly origin: KnownOrigin | null };
}

/** The origin of the chain, as the main thread sees it. */
export interface Fork {
  /** The origin for RPC methods; `null` on a chain that is no fork. */
  readonly origin: FetchedOrigin | null;
  /** Fetches values for a client until a deadline. Called only on a fork. */
  fetch(
    queries: readonly OriginQuery[],
    client: Client,
    endsAtMs: number,
  ): Promise<readonly FetchedValue[]>;
  /** Deadline of all fetches together of a call that begins now, in milliseconds of the node's timer. */
  callEndsAtMs(): number;
  /** Why the origin does not respond; `undefined` while it does, and on a chain that is no fork. */
  alarm(): string | undefined;
  /** Fails fetches, and later ones, because the chain of their requests ends. */
  stop(reason: string): void;
}

/** {@link Fork} of a chain that is no fork. */
export const NO_FORK: Fork = {
  origin: null,
  fetch: () => Promise.resolve([]),
  callEndsAtMs: () => 0,
  alarm: () => undefined,
  stop: () => undefined,
};

/** Maximum number of fetches of clients at a time, each of one or more values. */
const MAX_FETCHES = 128;

/** Serves the fork thread: gives it the addresses of the origin, and compiles classes for it. */
export function openFork(
  {
    fork,
    rpc,
  }: Pick<NodeOptions, "fork"> & { readonly rpc: Pick<NodeOptions["rpc"], "timeoutMs"> },
  { threads, compiler, storage }: ForkNeeds,
  { metrics, log, timer, disposables }: NodeHost,
): Fork {
  const { origin: known } = storage;
  if (fork === null || known === null) return NO_FORK;
  const { port } = threads.end("fork");
  const { timeoutMs } = fork;
  const client = new OriginClient({
    send: (message) => port.send(message),
    timer,
    origins: originsOf(fork),
    timeoutMs,
  });
  const turns = new OriginTurns({ source: client, timer, maxFetches: MAX_FETCHES });
  const reports = new OriginLog({ metrics: metrics.fork, log, timer });
  disposables.defer(() => reports.stop());
  // A revert of the chain restarts the thread.
  let starts = 0;
  port.listen((message) => {
    switch (message.kind) {
      case "addressesNeeded":
        starts++;
        port.send({ kind: "begin", urls: fork.urls, headers: fork.headers });
        return client.askAgain();
      case "origin":
        return reports.note(message.report);
      case "value":
      case "lost":
        return client.receive(message);
      case "compile": {
        const asking = starts;
        client.compiling(message.classHash);
        void compileForOrigin(compiler.service, message).then((answer) => {
          client.compiled(message.classHash);
          // A later thread numbers its compilations from the start.
          if (asking === starts) port.send(answer);
        });
      }
    }
  });
  const fetch: Fork["fetch"] = (queries, caller, endsAtMs) =>
    turns.fetch(queries, caller, endsAtMs);
  const callEndsAtMs = (): number => timer.nowMs() + rpc.timeoutMs;
  return {
    origin: {
      ...known.access,
      fetch: async (queries, caller, endsAtMs) =>
        known.known.give(await fetch(queries, caller, endsAtMs)),
      callEndsAtMs,
    },
    fetch,
    callEndsAtMs,
    alarm: () => reports.alarm(),
    stop: (reason) => client.stop(reason),
  };
}
