import type { VmCause, VmKernel } from "#kernels/vm/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { ecOpMeeting } from "./ec-op-meeting.ts";
import { failureText } from "./failure-text.ts";
import { MemoryLimitReached } from "./memory-limit.ts";
import type { EndProblem } from "./types.ts";

/** Reference engine's names for failure causes that end a run. */
const NAMES: Readonly<Partial<Record<VmCause, string>>> = {
  ec_not_on_curve: "RunnerError.PointNotOnCurve",
  ec_same_x: "RunnerError.EcOpSameXCoordinate",
  auto_deduction: "InconsistentAutoDeduction",
};

/** Returns the text of the kernel's last recorded failure. */
export function kernelFailureText(kernel: VmKernel): string {
  const record = kernel.failure();
  const text = failureText(record);
  if (record.cause !== "ec_same_x" || typeof record.first !== "object") return text;
  // The record names the first input cell; P, Q and m are in consecutive cells.
  const [px = 0n, py = 0n, qx = 0n, qy = 0n, m = 0n] = kernel
    .readMany(record.first, 5)
    .map((cell) => (typeof cell === "bigint" ? cell : 0n));
  const [sum, double] = ecOpMeeting([px, py], [qx, qy], m);
  return (
    `${text} \n\n    Attempting to compute P + m * Q where:\n\n` +
    `    P = ${pointText(sum)} \n\n    m = ${m}\n\n    Q = ${pointText(double)}.`
  );
}

function pointText([x, y]: readonly [Felt, Felt] = [0n, 0n]): string {
  return `(${hexFromFelt(x)}, ${hexFromFelt(y)})`;
}

/**
 * Converts the kernel's last failure to a problem at the end of a run. @throws {MemoryLimitReached} when that
 * is the failure
 */
export function kernelProblem(kernel: VmKernel): EndProblem {
  const { cause } = kernel.failure();
  if (cause === "memory_limit") throw new MemoryLimitReached();
  const name = NAMES[cause];
  return vmProblem(name, kernelFailureText(kernel));
}

/** Problem that the machine finds at the end of a run. @param name - the reference machine's name for it */
export function vmProblem(name: string | undefined, message: string): EndProblem {
  const base = "CairoRunError.VirtualMachine";
  return { name: name === undefined ? base : `${base}.${name}`, message };
}
