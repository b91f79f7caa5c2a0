import { type Address, BUILTINS, type FeltBlock, type VmKernel } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { kernelProblem, vmProblem } from "./kernel-failure.ts";
import { type MemoryLimits, MemoryLimitReached } from "./memory-limit.ts";
import { checkModBuiltin } from "./mod-builtin.ts";
import { type BuiltinSegment, measure } from "./resources.ts";
import { cellsOf, difference, postProblem, readReturnData, returnValues } from "./return-data.ts";
import type { RunSetUp } from "./set-up.ts";
import type { EndProblem, EntryPointRun, RunOutcome } from "./types.ts";

const RETURN_CELLS = 5;
type Value = Felt | Address;

interface Result {
  readonly panicked: boolean;
  readonly retdata: FeltBlock;
  readonly gasLeft: bigint;
}

/** Sanity limit, far more than the steps of a run can skip. */
const MAX_FILLED_CELLS = 2 ** 22;
const MAX_GAS = (1n << 64n) - 1n;

/** Error texts never show more of either end than this many offsets. */
const SHOWN_OFFSETS = 8192;

/**
 * Ends a run whose program counter has reached the end segment: runs the checks, then reads the results.
 *
 * @throws {MemoryLimitReached}
 */
export function finishRun(
  kernel: VmKernel,
  setUp: RunSetUp,
  run: EntryPointRun,
  limits: MemoryLimits,
): RunOutcome {
  const { builtins, frame } = setUp;
  const wrong = checkDeductions(kernel, builtins);
  if (wrong === undefined) fillRangeCheck96(kernel, builtins);
  const problem =
    wrong ??
    checkProgramSize(kernel, frame.placed.image.length) ??
    checkBuiltinInputs(kernel, builtins) ??
    checkReturnFp(kernel);
  if (problem !== undefined) return failed(kernel, setUp, problem);
  if (run.countHoles) markSetUp(kernel, setUp);
  const outcome = readResult(kernel, limits);
  if ("name" in outcome) return failed(kernel, setUp, outcome);
  const holes = run.countHoles ? kernel.countHoles() : 0;
  const resources = measure(kernel, setUp.builtins, holes);
  return { kind: "returned", ...outcome, resources, blakeCount: kernel.blakeCount() };
}

function failed(kernel: VmKernel, setUp: RunSetUp, problem: EndProblem): RunOutcome {
  const failure = { ...problem, pc: null, traceback: [] };
  return { kind: "failed", failure, resources: measure(kernel, setUp.builtins, 0) };
}

/** Checks that written builtin cells agree with the builtins' rules. @returns the failure, if any */
export function checkDeductions(
  kernel: VmKernel,
  builtins: readonly BuiltinSegment[],
): EndProblem | undefined {
  const isWrong = builtins.some(({ segment }) => !kernel.verifyDeductions(segment));
  return isWrong ? kernelProblem(kernel) : undefined;
}

/**
 * Checks that nothing was written after the program. Such a write is allowed during the run, but fails it at
 * the end.
 */
export function checkProgramSize(kernel: VmKernel, length: number): EndProblem | undefined {
  if (kernel.segmentSize(0) <= length) return undefined;
  return vmProblem("OutOfBoundsProgramSegmentAccess", "Out of bounds access to program segment");
}

/**
 * Checks that all builtin instances are complete (cairo-vm: `run_security_checks`). @returns the failure, if
 * any
 */
export function checkBuiltinInputs(
  kernel: VmKernel,
  builtins: readonly BuiltinSegment[],
): EndProblem | undefined {
  for (const builtin of builtins) {
    const { name, segment } = builtin;
    if (name === "segment_arena" || name === "output") continue;
    if (name === "add_mod" || name === "mul_mod") {
      const problem = checkModBuiltin(kernel, builtin);
      if (problem !== undefined) return vmProblem(undefined, problem);
    }
    const state = kernel.verifyInputs(segment);
    const text = `Missing memory cells for ${name}_builtin`;
    if (state === "too_few") return vmProblem("Memory.MissingMemoryCells", text);
    if (state === "missing") {
      const offsets = missingInputs(kernel, builtin);
      const message = `${text}: [${offsets.join(", ")}]`;
      return vmProblem("Memory.MissingMemoryCellsWithOffsets", message);
    }
    if (!kernel.verifyOutputs(segment)) return kernelProblem(kernel);
  }
  return undefined;
}

function missingInputs(kernel: VmKernel, builtin: BuiltinSegment): number[] {
  const { name, segment } = builtin;
  const { cells: perInstance, inputs } = BUILTINS[name];
  const size = Math.ceil(kernel.segmentSize(segment) / perInstance) * perInstance;
  const first: number[] = [];
  let last: number[] = [];
  for (const [offset, cell] of cellsOf(kernel, segment, size)) {
    if (cell !== undefined || offset % perInstance >= inputs) continue;
    // Error texts are cut in the middle: offsets far from both ends are never shown.
    if (first.length < SHOWN_OFFSETS) first.push(offset);
    else if (last.push(offset) === 2 * SHOWN_OFFSETS) last = last.slice(-SHOWN_OFFSETS);
  }
  return [...first, ...last];
}

/** Fills unused range_check96 cells up to its stop pointer with zero. @throws {MemoryLimitReached} */
function fillRangeCheck96(kernel: VmKernel, builtins: readonly BuiltinSegment[]): void {
  const fromEnd = builtins.toReversed().findIndex(({ name }) => name === "range_check96");
  const builtin = builtins.at(-1 - fromEnd);
  const offset = kernel.ap - (RETURN_CELLS + 1) - fromEnd;
  if (fromEnd < 0 || builtin === undefined || offset < 0) return;
  const stop = kernel.read({ segment: 1, offset });
  if (typeof stop !== "object" || stop.segment !== builtin.segment) return;
  if (stop.offset > MAX_FILLED_CELLS) throw new MemoryLimitReached();
  const { segment } = builtin;
  for (const [index, cell] of cellsOf(kernel, segment, stop.offset)) {
    if (cell === undefined && !kernel.write({ segment, offset: index }, 0n)) {
      throw new MemoryLimitReached();
    }
  }
}

/** Checks that the frame pointer is back at the value passed to the entry call, 0. */
export function checkReturnFp(kernel: VmKernel): EndProblem | undefined {
  if (kernel.fp === 0) return undefined;
  const text = `Return FP felt 0 should equal expected final FP 1:${kernel.fp} offset`;
  return vmProblem("MismatchReturnFPFelt", text);
}

/**
 * Marks arguments and read-only segments as accessed, as the operating system accesses them: they are not
 * memory holes.
 */
function markSetUp(kernel: VmKernel, setUp: RunSetUp): void {
  kernel.markAccessed({ segment: 1, offset: 0 }, setUp.argumentCount);
  for (const { segment, length } of setUp.frame.readOnly) {
    kernel.markAccessed({ segment, offset: 0 }, length);
  }
}

/** Reads the result of a successful run, or what is wrong with it (reference engine: `get_call_result`). */
function readResult(kernel: VmKernel, limits: MemoryLimits): EndProblem | Result {
  const values = returnValues(kernel, RETURN_CELLS);
  if ("name" in values) return values;
  const [gas, , flag, start, end] = values as [Value, Value, Value, Value, Value];
  if (flag !== 0n && flag !== 1n) {
    return malformed("Failure flag expected to be either 0 or 1.");
  }
  const size = difference(end, start);
  if ("name" in size) return size;
  if (typeof gas !== "bigint") return malformed("Error extracting return data.");
  // Callers check the bound by the call's gas, entry budget included: it is not available here.
  if (gas > MAX_GAS) return malformed(`Unexpected remaining gas: ${gas}.`);
  const retdata = readReturnData(kernel, size.value, start, limits);
  if ("name" in retdata) return retdata;
  return { panicked: flag === 1n, retdata, gasLeft: gas };
}

function malformed(text: string): EndProblem {
  return postProblem("MalformedReturnData", `Malformed return data : ${text}.`);
}
