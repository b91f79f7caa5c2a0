import { type Address, FeltBlock, type VmKernel } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { MemoryLimitReached } from "./memory-limit.ts";
import type { RunFrame } from "./run-frame.ts";

/** Adds a segment that must keep its size, and lists it in `readOnly`. @throws {MemoryLimitReached} */
export function addReadOnlySegment(
  kernel: VmKernel,
  readOnly: RunFrame["readOnly"],
  values: readonly (Felt | Address)[] | FeltBlock,
): Address {
  const start: Address = { segment: addPlainSegment(kernel), offset: 0 };
  writeNew(kernel, start, values);
  readOnly.push({ segment: start.segment, length: values.length });
  return start;
}

/** Writes cells that are still empty. @throws {MemoryLimitReached} */
export function writeNew(
  kernel: VmKernel,
  start: Address,
  values: readonly (Felt | Address)[] | FeltBlock,
): void {
  if (!writeAll(kernel, start, values)) throw new MemoryLimitReached();
}

/** Writes consecutive cells. @returns false after a failure, which the kernel has recorded */
export function writeAll(
  kernel: VmKernel,
  start: Address,
  values: readonly (Felt | Address)[] | FeltBlock,
): boolean {
  return values instanceof FeltBlock
    ? kernel.writeBlock(start, values)
    : kernel.writeMany(start, values);
}

/** Adds a segment. @throws {MemoryLimitReached} */
export function addPlainSegment(kernel: VmKernel): number {
  const segment = kernel.addSegment("plain");
  if (segment < 0) throw new MemoryLimitReached();
  return segment;
}
