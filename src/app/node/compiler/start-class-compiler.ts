import { resolve } from "node:path";
import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import { openCompiledClasses } from "#io/storage/index.ts";
import { ClassCompiler, COMPILE_LIMITS } from "#services/admission/index.ts";
import { startCompiler } from "./background-compiler.ts";
import { type CompilerSettings, wallDeadlineMs } from "./compiler-settings.ts";
import { type NodeSetup, warmsUp } from "../setup/setup.ts";
import { COMPILER } from "./child-archive.ts";
import { createProcessCompiler } from "./create-process-compiler.ts";

/** Maximum concurrent compilations. */
const MAX_PROCESSES = 2;

/** Service that compiles classes in child processes. */
export interface NodeCompiler {
  readonly service: ClassCompiler;
  /**
   * Creates the file of compiled classes in parallel with the running node, then starts the first process on
   * a node that warms up. The node's start does not wait for it.
   *
   * @param onStore - called once the file of compiled classes exists
   */
  warm(log: Logger, onStore: () => void): void;
}

/**
 * Creates the service that compiles classes in child processes; no process runs yet.
 *
 * @param disposables - stops the service with the node
 */
export function createClassCompiler(
  disposables: AsyncDisposableStack,
  setup: Pick<NodeSetup, "files" | "config" | "warmUpTransfers">,
  settings: CompilerSettings,
  timer: Timer,
): NodeCompiler {
  const { files, config } = setup;
  const { chainId } = config;
  const archive = { path: resolve(files.compiledDatabase), chainId };
  const compilers = Array.from({ length: MAX_PROCESSES }, () =>
    createProcessCompiler(settings, archive, timer),
  );
  const service = new ClassCompiler({
    compilers,
    limits: { ...COMPILE_LIMITS, deadlineMs: wallDeadlineMs(settings) },
    timer,
  });
  disposables.defer(async () => {
    await Promise.all(compilers.map((compiler) => compiler.stop()));
  });
  disposables.defer(() => service.stop());
  return {
    service,
    warm(log, onStore) {
      const [first] = compilers;
      if (first === undefined) return;
      startCompiler(disposables, log, async (signal) => {
        // Created here, because two processes that create it concurrently would conflict.
        const store = await openCompiledClasses({ ...archive, compiler: COMPILER });
        store.close();
        onStore();
        return warmsUp(setup) ? first.warm(signal) : undefined;
      });
    },
  };
}
