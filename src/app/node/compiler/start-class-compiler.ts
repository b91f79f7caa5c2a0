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

/** Classes that are compiled at a time. */
const MAX_PROCESSES = 2;

/** The service that compiles classes in child processes. */
export interface NodeCompiler {
  readonly service: ClassCompiler;
  /**
   * Makes the file of compiled classes in parallel with the running node, then starts the first of the
   * processes where the node warms up: nobody waits for it.
   *
   * @param onStore - called once the file of compiled classes is there
   */
  warm(log: Logger, onStore: () => void): void;
}

/**
 * Makes the service that compiles classes in child processes; none runs yet.
 *
 * @param disposables - stops it with the node
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
        // Here and not in two processes at once, which would be in each other's way.
        const store = await openCompiledClasses({ ...archive, compiler: COMPILER });
        store.close();
        onStore();
        return warmsUp(setup) ? first.warm(signal) : undefined;
      });
    },
  };
}
