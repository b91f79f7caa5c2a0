import type { Address, CellValue, VmKernel } from "#kernels/vm/index.ts";
import type { Felt } from "#primitives/index.ts";
import { addressText, valueDebugText, valueText } from "../failure-text.ts";
import { checkBuiltinInputs, checkDeductions, checkProgramSize, checkReturnFp } from "../finish.ts";
import { CELLS_PER_INSTANCE, measure } from "../resources.ts";
import type { EndProblem, RunOutcome } from "../types.ts";
import { ARGUMENT_COUNT, type LegacySetUp } from "./set-up.ts";

const RETURN_CELLS = 2;
const POST = "PostExecutionError";

/** The end of a Cairo 0 run: checks of the machine, then those of the protocol, then results. */
export function finishLegacyRun(kernel: VmKernel, setUp: LegacySetUp): RunOutcome {
  const problem = checkMachine(kernel, setUp) ?? checkResult(kernel, setUp);
  if (problem !== undefined && !Array.isArray(problem)) {
    return {
      kind: "failed",
      failure: { message: problem.message, pc: null, traceback: [], name: problem.name },
      resources: measure(kernel, setUp.builtins, 0),
    };
  }
  return {
    kind: "returned",
    panicked: false,
    retdata: problem ?? [],
    gasLeft: 0n,
    resources: measure(kernel, setUp.builtins, kernel.countHoles()),
    // The reference engine does not count them in Cairo 0 code.
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

/** Validates what the entry point returned. @returns the return data, or what is wrong */
function checkResult(kernel: VmKernel, setUp: LegacySetUp): EndProblem | Felt[] {
  const { ap } = kernel;
  kernel.markAccessed({ segment: 1, offset: 0 }, ARGUMENT_COUNT);
  for (const { segment, length } of setUp.frame.readOnly) {
    kernel.markAccessed({ segment, offset: 0 }, length);
  }
  if (ap < RETURN_CELLS) {
    const message = `Failed to fetch ${RETURN_CELLS} return values, ap is only 1:${ap}`;
    return memoryError("FailedToGetReturnValues", message);
  }
  const end = ap - RETURN_CELLS;
  const [size, pointer] = kernel.readMany({ segment: 1, offset: end }, RETURN_CELLS);
  if (size === undefined || pointer === undefined) {
    const message =
      `Found a memory gap when calling get_continuous_range with base:1:${end} ` +
      `and size: ${RETURN_CELLS}`;
    return memoryError("GetRangeMemoryGap", message);
  }
  return validateRun(kernel, setUp, end) ?? readRetdata(kernel, size, pointer);
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
    const perInstance = CELLS_PER_INSTANCE[name];
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
      ? memoryError("UnknownMemoryCell.Relocatable", `Unknown memory cell at address 1:${start}`)
      : memoryError(
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

function readRetdata(kernel: VmKernel, size: CellValue, pointer: CellValue): EndProblem | Felt[] {
  if (typeof size !== "bigint") {
    return {
      name: `${POST}.VirtualMachineError.ExpectedIntAtRange`,
      message: `Expected integer, found: Some(${valueDebugText(size)})\n`,
    };
  }
  if (size >= 1n << 64n) {
    return {
      name: `${POST}.RetdataSizeTooBig`,
      message: "out of range conversion regarding big integer attempted\n",
    };
  }
  if (typeof pointer !== "object") {
    return memoryError("AddressNotRelocatable", "Memory addresses must be relocatable");
  }
  const { segment, offset } = pointer;
  const available = Math.max(0, kernel.segmentSize(segment) - offset) + 1;
  const length = Math.min(Number(size), available);
  const felts: Felt[] = [];
  for (const [index, cell] of kernel.readMany(pointer, length).entries()) {
    const place = valueText({ segment, offset: offset + index });
    if (cell === undefined) {
      return memoryError(
        "UnknownMemoryCell.Relocatable",
        `Unknown memory cell at address ${place}`,
      );
    }
    if (typeof cell !== "bigint") {
      return memoryError("ExpectedInteger.Relocatable", `Expected integer at address ${place}`);
    }
    felts.push(cell);
  }
  return felts;
}

function insecure(text: string): EndProblem {
  return { name: `${POST}.SecurityValidationError`, message: `Validation failed: ${text}.\n` };
}

function memoryError(name: string, message: string): EndProblem {
  return { name: `${POST}.MemoryError.${name}`, message: `${message}\n` };
}
