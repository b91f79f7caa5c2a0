import { NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { casmClassFromJson, encodeContractClass } from "#protocol/chain/index.ts";
import type { Compiler } from "#services/admission/index.ts";
import type { ReplayCompiler } from "#services/replay/index.ts";
import { type CompilerSettings, wallDeadlineMs } from "./compiler-settings.ts";
import { createProcessCompiler } from "./create-process-compiler.ts";

/** Compiler for replays that runs until it is stopped. */
export interface RunningReplayCompiler extends ReplayCompiler {
  stop(): Promise<void>;
}

/**
 * Starts a compiler for another node's classes in a child process, because a hostile class may exhaust
 * neither the time nor the memory of the replay.
 */
export function startReplayCompiler(
  settings: CompilerSettings,
  timer: Timer,
): RunningReplayCompiler {
  const compiler = createProcessCompiler(settings, null, timer);
  return {
    ...replayCompiler(compiler, wallDeadlineMs(settings), timer),
    stop: () => compiler.stop(),
  };
}

/**
 * Adapts a compiler to replays, and kills a compilation at its deadline.
 *
 * @param deadlineMs - wall-time limit of one compilation
 */
export function replayCompiler(
  compiler: Compiler,
  deadlineMs: number,
  timer: Timer,
): ReplayCompiler {
  return {
    async compile(classHash, contractClass) {
      let isLate = false;
      const cancel = timer.after(deadlineMs, () => {
        isLate = true;
        compiler.kill();
      });
      const classBytes = encodeContractClass(contractClass);
      const answer = await compiler.compile({ classHash, classBytes });
      cancel();
      if (isLate) {
        return { kind: "unfinished", reason: `compiling took longer than ${deadlineMs / 1000} s` };
      }
      switch (answer.kind) {
        case "compiled":
          return { kind: "compiled", casm: casmClassFromJson(answer.compiled.casmJson) };
        case "failed":
          return { kind: "failed", reason: `${answer.code}: ${answer.message}` };
        case "outOfMemory": {
          const limitMib = Math.floor(answer.limitBytes / 2 ** 20);
          return {
            kind: "unfinished",
            reason: `compiling took more than ${limitMib} MiB of memory (--compiler-memory)`,
          };
        }
        case "outOfTime":
          return {
            kind: "unfinished",
            reason: `compiling took more than ${answer.limitMs / 1000} s of processor time (--compiler-timeout)`,
          };
        case "ended":
          return { kind: "unfinished", reason: answer.reason };
        case "unavailable":
          throw new NodeError("NODE_COMPILER_FAILED", answer.reason);
      }
    },
  };
}
