/**
 * Fork: reads the network that a development chain was forked from.
 *
 * - Options: `fork`.
 * - Threads: `fork` (`fork.thread.ts`), on forked chains. It alone sends requests to the origin and owns
 *   `fork.db`. Threads that read state wait for it in shared memory; the main thread never waits.
 * - Needs: the fork thread, the compiler for classes of the origin.
 * - Offers: {@link Fork}: why the node is not ready.
 * - Metrics: `ForkMetrics`; one line per minute in the log.
 * - Ready: immediately; without the origin, with what the cache has.
 * - Stops: with the threads.
 */
import type { ClassCompiler } from "#services/admission/index.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeThreads } from "../threads/node-threads.ts";
import { compileForOrigin } from "./compile-for-origin.ts";
import { OriginLog } from "./origin-log.ts";

/** Needs of {@link openFork}. */
export interface ForkNeeds {
  readonly threads: Pick<NodeThreads, "end">;
  readonly compiler: { readonly service: Pick<ClassCompiler, "compile"> };
}

/** The origin of the chain, as the main thread sees it. */
export interface Fork {
  /** Why the origin does not respond; `undefined` while it does, and on a chain that is no fork. */
  alarm(): string | undefined;
}

const NO_FORK: Fork = { alarm: () => undefined };

/** Serves the fork thread: gives it the addresses of the origin, and compiles classes for it. */
export function openFork(
  { fork }: Pick<NodeOptions, "fork">,
  { threads, compiler }: ForkNeeds,
  { metrics, log, timer, disposables }: NodeHost,
): Fork {
  if (fork === null) return NO_FORK;
  const { port } = threads.end("fork");
  const origin = new OriginLog({ metrics: metrics.fork, log, timer });
  disposables.defer(() => origin.stop());
  port.listen((message) => {
    switch (message.kind) {
      case "addressesNeeded":
        return port.send({ kind: "begin", urls: fork.urls, headers: fork.headers });
      case "origin":
        return origin.note(message.report);
      case "compile":
        void compileForOrigin(compiler.service, message).then((answer) => port.send(answer));
    }
  });
  return origin;
}
