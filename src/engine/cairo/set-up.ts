import type { Address, PlacedProgram, VmKernel } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { RunFrame } from "./run-frame.ts";
import { addPlainSegment, addReadOnlySegment, writeNew } from "./segments.ts";
import { MemoryLimitReached } from "./memory-limit.ts";
import type { PreparedProgram } from "./program.ts";
import { ARENA_START_CELLS, type BuiltinSegment } from "./resources.ts";
import type { EntryPointRun } from "./types.ts";

/** Run whose segments and registers are ready. */
export interface RunSetUp {
  readonly frame: RunFrame;
  readonly builtins: readonly BuiltinSegment[];
  /** Number of arguments at the start of the execution segment. */
  readonly argumentCount: number;
}

/**
 * Lays out the segments of a call in the reference engine's order: program, execution, builtins, builtin
 * costs, syscalls, calldata, end. The arguments are: builtin pointers, gas, syscall pointer, calldata start
 * and end, return frame pointer, return address.
 *
 * @throws {MemoryLimitReached}
 */
export function setUpRun(
  kernel: VmKernel,
  program: PreparedProgram,
  placed: PlacedProgram,
  run: EntryPointRun,
): RunSetUp {
  const stack: (Felt | Address)[] = [];
  const builtins: BuiltinSegment[] = [];
  for (const name of run.builtins) {
    if (name === "segment_arena") {
      const infos = addPlainSegment(kernel);
      const segment = kernel.addSegment("segment_arena");
      if (segment < 0) throw new MemoryLimitReached();
      writeNew(kernel, { segment, offset: 0 }, [{ segment: infos, offset: 0 }, 0n, 0n]);
      builtins.push({ name, segment });
      stack.push({ segment, offset: ARENA_START_CELLS });
      continue;
    }
    const segment = kernel.addSegment(name);
    if (segment < 0) throw new MemoryLimitReached();
    builtins.push({ name, segment });
    stack.push({ segment, offset: 0 });
  }
  const costsSegment = addPlainSegment(kernel);
  const readOnly: { readonly segment: number; readonly length: number }[] = [];
  writeNew(kernel, { segment: costsSegment, offset: 0 }, run.builtinCosts);
  readOnly.push({ segment: costsSegment, length: run.builtinCosts.length });
  kernel.setProgramAddress(placed, placed.image.length - 1, { segment: costsSegment, offset: 0 });
  const syscallPtr: Address = { segment: addPlainSegment(kernel), offset: 0 };
  const frame: RunFrame = {
    program,
    placed,
    host: run.host,
    stepBudget: run.stepBudget ?? { left: run.maxSteps },
    countedSteps: 0,
    costsSegment,
    syscallPtr,
    readOnly,
    hostFailure: undefined,
    pointScalar: run.pointScalar,
  };
  const calldata = addReadOnlySegment(kernel, frame.readOnly, run.calldata);
  stack.push(run.gas, syscallPtr, calldata);
  stack.push({ segment: calldata.segment, offset: run.calldata.length });
  const argumentCount = stack.length;
  const endSegment = addPlainSegment(kernel);
  stack.push(0n, { segment: endSegment, offset: 0 });
  writeNew(kernel, { segment: 1, offset: 0 }, stack);
  kernel.setRegisters(run.entryPointOffset, stack.length, stack.length, endSegment);
  return { frame, builtins, argumentCount };
}
