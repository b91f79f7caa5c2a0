import type { Timer } from "#base/primitives/index.ts";
import { processUse } from "#io/processes/index.ts";
import { MAX_BYTECODE_FELTS } from "#services/admission/index.ts";
import type { ArchivePlace } from "./compiler-messages.ts";
import { startCompilerProcess } from "./compiler-process.ts";
import type { CompilerSettings } from "./compiler-settings.ts";
import { ProcessCompiler } from "./process-compiler.ts";

/**
 * Creates a compiler in a child process of this program; no process runs yet.
 *
 * @param archive - stores compiled classes; `null` to store none
 */
export function createProcessCompiler(
  { maxResidentBytes, maxCpuMs, niceness }: CompilerSettings,
  archive: ArchivePlace | null,
  timer: Timer,
): ProcessCompiler {
  return new ProcessCompiler({
    limits: { residentBytes: maxResidentBytes, cpuMs: maxCpuMs },
    maxBytecodeSize: MAX_BYTECODE_FELTS,
    archive,
    start: (signal) => startCompilerProcess(niceness, signal, timer),
    use: processUse,
    timer,
  });
}
