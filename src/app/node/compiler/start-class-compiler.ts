import type { Logger } from "#base/telemetry/index.ts";
import { ClassCompiler, MAX_BYTECODE_FELTS } from "#services/admission/index.ts";
import { startCompiler } from "../background-compiler.ts";
import { ProcessCompiler } from "./process-compiler.ts";

/** Classes that are compiled at a time. */
const MAX_PROCESSES = 2;

/**
 * Makes the service that compiles classes in child processes, and starts the first of them beside the
 * running node: nobody waits for it at start.
 *
 * @param parts - stops it with the node
 * @param maxResidentBytes - memory above which a child process is killed
 */
export function startClassCompiler(
  parts: AsyncDisposableStack,
  log: Logger,
  maxResidentBytes: number,
): ClassCompiler {
  const compilers = Array.from(
    { length: MAX_PROCESSES },
    () => new ProcessCompiler({ maxResidentBytes, maxBytecodeSize: MAX_BYTECODE_FELTS }),
  );
  const service = new ClassCompiler({ compilers });
  parts.defer(async () => {
    await Promise.all(compilers.map((compiler) => compiler.stop()));
  });
  const [first] = compilers;
  if (first !== undefined) startCompiler(parts, log, (signal) => first.warm(signal));
  parts.defer(() => service.stop());
  return service;
}
