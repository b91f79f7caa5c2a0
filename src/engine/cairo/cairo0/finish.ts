import { type Address, BUILTINS, FeltBlock, type VmKernel } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { addressText } from "../failure-text.ts";
import { checkBuiltinInputs, checkDeductions, checkProgramSize, checkReturnFp } from "../finish.ts";
import type { MemoryLimits } from "../memory-limit.ts";
import { measure } from "../resources.ts";
import { memoryProblem, postProblem, readReturnData, returnValues } from "../return-data.ts";
import type { EndProblem, RunOutcome } from "../types.ts";
import { ARGUMENT_COUNT, type LegacySetUp } from "./set-up.ts";

const RETURN_CELLS = 2;

/** Ends a Cairo 0 run: machine checks, then protocol checks, then results. */
export function finishLegacyRun(
  kernel: VmKernel,
  setUp: LegacySetUp,
  limits: MemoryLimits,
): RunOutcome {
  const problem = checkMachine(kernel, setUp) ?? checkResult(kernel, setUp, limits);
  if (!(problem instanceof FeltBlock)) {
    return {
      kind: "failed",
      failure: { message: problem.message, pc: null, traceback: [], name: problem.name },
      resources: measure(kernel, setUp.builtins, 0),
    };
  }
  return {
    kind: "returned",
    panicked: false,
    retdata: problem,
    gasLeft: 0n,
    resources: measure(kernel, setUp.builtins, kernel.countHoles()),
    // The reference engine does not count Blake instructions in Cairo 0 code.
    blakeCount: 0,
  };
}

function checkMachine(kernel: VmKernel, setUp: LegacySetUp): EndProblem | undefined {
  const { builtins, hooks, program } = setUp;
  return (
    checkDeductions(kernel, builtins) ??
    (hooks.isInMainScope
      ? undefined
      : {
          name: "CairoRunError.VirtualMachine.MainScopeError.NoScopeError",
          message: "Every enter_scope() requires a corresponding exit_scope().",
        }) ??
    checkProgramSize(kernel, program.image.length) ??
    checkBuiltinInputs(kernel, builtins) ??
    checkReturnFp(kernel)
  );
}

/** Validates what the entry point returned. @returns the return data, or the problem */
function checkResult(
  kernel: VmKernel,
  setUp: LegacySetUp,
  limits: MemoryLimits,
): EndProblem | FeltBlock {
  kernel.markAccessed({ segment: 1, offset: 0 }, ARGUMENT_COUNT);
  for (const { segment, length } of setUp.frame.readOnly) {
    kernel.markAccessed({ segment, offset: 0 }, length);
  }
  const values = returnValues(kernel, RETURN_CELLS);
  if ("name" in values) return values;
  const [size, pointer] = values as [Felt | Address, Felt | Address];
  return (
    validateRun(kernel, setUp, kernel.ap - RETURN_CELLS) ??
    readReturnData(kernel, size, pointer, limits)
  );
}

function validateRun(
  kernel: VmKernel,
  { builtins, frame, implicitArguments }: LegacySetUp,
  end: number,
): EndProblem | undefined {
  let offset = end;
  for (const { name, segment } of builtins.toReversed()) {
    offset--;
    const stop = offset < 0 ? undefined : kernel.read({ segment: 1, offset });
    if (typeof stop !== "object") {
      return insecure(`No stop pointer found for builtin ${name}_builtin`);
    }
    if (stop.segment !== segment) {
      return insecure(
        `Invalid stop pointer for ${name}_builtin: Stop pointer has value ${addressText(stop)} ` +
          `but builtin segment is ${segment}`,
      );
    }
    const perInstance = BUILTINS[name].cells;
    const used = Math.ceil(kernel.segmentSize(segment) / perInstance) * perInstance;
    if (stop.offset !== used) {
      return insecure(
        `Invalid stop pointer for ${name}_builtin. ` +
          `Expected: ${segment}:${used}, found: ${addressText(stop)}`,
      );
    }
  }
  const start = offset - 1;
  if (start + implicitArguments.length !== end) return insecure("Implicit arguments' segments");
  const stop = start < 0 ? undefined : kernel.read({ segment: 1, offset: start });
  if (typeof stop !== "object") {
    return stop === undefined
      ? memoryProblem("UnknownMemoryCell.Relocatable", `Unknown memory cell at address 1:${start}`)
      : memoryProblem(
          "ExpectedRelocatable.Relocatable",
          `Expected relocatable at address 1:${start}`,
        );
  }
  const syscalls = (implicitArguments[0] as Address).segment;
  if (stop.segment !== syscalls || stop.offset !== kernel.segmentSize(syscalls)) {
    return insecure("Syscall segment size");
  }
  const { syscallPtr, readOnly } = frame;
  if (stop.offset !== syscallPtr.offset) return insecure("Syscall segment end");
  for (const { segment, length } of readOnly) {
    if (kernel.segmentSize(segment) !== length) return insecure("Read-only segments");
  }
  return undefined;
}

function insecure(text: string): EndProblem {
  return postProblem("SecurityValidationError", `Validation failed: ${text}.`);
}
