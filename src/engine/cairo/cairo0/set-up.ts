import type { Address, PlacedProgram, VmKernel } from "#kernels/vm/index.ts";
import type { RunFrame } from "../run-frame.ts";
import { addPlainSegment, addReadOnlySegment, writeNew } from "../segments.ts";
import { MemoryLimitReached } from "../memory-limit.ts";
import type { BuiltinSegment } from "../resources.ts";
import type { LegacyRun } from "../types.ts";
import { RunHooks } from "./hooks.ts";
import type { PreparedLegacyProgram } from "./program.ts";

/**
 * Number of arguments of a Cairo 0 entry point: selector, implicit arguments, calldata size and
 * pointer.
 */
export const ARGUMENT_COUNT = 4;

/** Cairo 0 run whose segments and registers are ready. */
export interface LegacySetUp {
  readonly frame: RunFrame;
  readonly hooks: RunHooks;
  readonly program: PreparedLegacyProgram;
  readonly builtins: readonly BuiltinSegment[];
  /** Initial syscall pointer and builtin pointers. */
  readonly implicitArguments: readonly Address[];
}

/**
 * Lays out the segments of a call in the reference engine's order: program, execution, builtins,
 * syscalls, calldata, implicit arguments, end.
 *
 * @throws {MemoryLimitReached}
 */
export function setUpLegacyRun(
  kernel: VmKernel,
  program: PreparedLegacyProgram,
  placed: PlacedProgram,
  run: LegacyRun,
): LegacySetUp {
  const builtins = program.source.builtins.map((name): BuiltinSegment => {
    const segment = kernel.addSegment(name);
    if (segment < 0) throw new MemoryLimitReached();
    return { name, segment };
  });
  const syscallPtr: Address = { segment: addPlainSegment(kernel), offset: 0 };
  const signatureSegment = builtins.find(({ name }) => name === "ecdsa")?.segment;
  const hooks = new RunHooks(kernel, program, signatureSegment);
  const frame: RunFrame = {
    program: { hostHints: [] },
    placed,
    host: run.host,
    stepBudget: run.stepBudget,
    countedSteps: 0,
    costsSegment: -1,
    syscallPtr,
    readOnly: [],
    hostFailure: undefined,
    legacy: hooks,
  };
  const calldata = addReadOnlySegment(kernel, frame.readOnly, run.calldata);
  const implicitArguments: Address[] = [
    syscallPtr,
    ...builtins.map(({ segment }) => ({ segment, offset: 0 })),
  ];
  const implicit: Address = { segment: addPlainSegment(kernel), offset: 0 };
  writeNew(kernel, implicit, implicitArguments);
  const end: Address = { segment: addPlainSegment(kernel), offset: 0 };
  const size = BigInt(run.calldata.length);
  const stack = [run.selector, implicit, size, calldata, 0n, end];
  writeNew(kernel, { segment: 1, offset: 0 }, stack);
  kernel.setRegisters(run.entryPointOffset, stack.length, stack.length, end.segment);
  return { frame, hooks, program, builtins, implicitArguments };
}
