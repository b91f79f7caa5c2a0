import { type Address, FeltBlock, type VmKernel } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { MemoryLimitReached } from "./memory-limit.ts";
import type { RunFrame } from "./run-frame.ts";

/** A new segment that is listed to keep its size. @throws {MemoryLimitReached} */
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

/** Writes where nothing is written yet. @throws {MemoryLimitReached} */
export function writeNew(
  kernel: VmKernel,
  start: Address,
  values: readonly (Felt | Address)[] | FeltBlock,
): void {
  if (!writeAll(kernel, start, values)) throw new MemoryLimitReached();
}

/** Writes consecutive cells. @returns false with a failure record */
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
