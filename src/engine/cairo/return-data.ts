import {
  type Address,
  addressOf,
  type CellValue,
  FeltBlock,
  type VmKernel,
} from "#kernels/vm/index.ts";
import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import { addressText, valueDebugText, valueText } from "./failure-text.ts";
import { type MemoryLimits, MemoryLimitReached } from "./memory-limit.ts";
import type { EndProblem } from "./types.ts";

/** Sizes and offsets have 64 bits. */
const MAX_SIZE = (1n << 64n) - 1n;

const CELL_BYTES = 32;
/** Number of cells per read. */
const PART_CELLS = 4096;

/** Problem with the data that a run left behind. @param name - the reference engine's name for it */
export function postProblem(name: string, message: string): EndProblem {
  return { name: `PostExecutionError.${name}`, message: `${message}\n` };
}

/** Problem with a memory access at the end of a run. @param name - the reference engine's name for it */
export function memoryProblem(name: string, message: string): EndProblem {
  return postProblem(`MemoryError.${name}`, message);
}

/** Returns the `count` cells below the allocation pointer, or a problem if one of them is unknown. */
export function returnValues(
  kernel: VmKernel,
  count: number,
): EndProblem | readonly (Felt | Address)[] {
  const { ap } = kernel;
  if (ap < count) {
    const message = `Failed to fetch ${count} return values, ap is only 1:${ap}`;
    return memoryProblem("FailedToGetReturnValues", message);
  }
  const first = ap - count;
  const values = kernel.readMany({ segment: 1, offset: first }, count);
  if (values.every((value) => value !== undefined)) return values;
  const message = `Found a memory gap when calling get_continuous_range with base:1:${first} and size: ${count}`;
  return memoryProblem("GetRangeMemoryGap", message);
}

/** `end - start`, by the machine's subtraction rules (cairo-vm: `MaybeRelocatable::sub`). */
export function difference(
  end: Felt | Address,
  start: Felt | Address,
): { readonly value: Felt | Address } | EndProblem {
  const operation = (): string => `${valueText(end)} - ${valueText(start)}`;
  if (typeof end === "bigint") {
    if (typeof start === "bigint") return { value: (end - start + FIELD_PRIME) % FIELD_PRIME };
    const message = `Operation failed ${operation()}, can't subtract a relocatable value from an integer`;
    return postProblem("MathError.SubRelocatableFromInt", message);
  }
  if (typeof start === "object") {
    if (start.segment === end.segment) {
      return { value: (exactOffset(end) - exactOffset(start) + FIELD_PRIME) % FIELD_PRIME };
    }
    const message = `Operation failed: ${operation()}, can't subtract two relocatable values with different segment indexes`;
    return postProblem("MathError.RelocatableSubDiffIndex", message);
  }
  const offset = (exactOffset(end) - start + FIELD_PRIME) % FIELD_PRIME;
  if (offset <= MAX_SIZE) return { value: addressOf(end.segment, offset) };
  const message = `Operation failed: ${operation()}, offsets cant be negative`;
  return postProblem("MathError.RelocatableSubFelt252NegOffset", message);
}

function exactOffset(address: Address): bigint {
  return address.exactOffset ?? BigInt(address.offset);
}

/**
 * Reads the return data of a run, `size` felts from `start` on, or returns what is wrong with them.
 *
 * @throws {MemoryLimitReached} when they exceed what calls may pass on
 */
export function readReturnData(
  kernel: VmKernel,
  size: Felt | Address,
  start: Felt | Address,
  limits: MemoryLimits,
): EndProblem | FeltBlock {
  if (typeof size !== "bigint") {
    const message = `Expected integer, found: Some(${valueDebugText(size)})`;
    return postProblem(
      "VirtualMachineError.ExpectedIntAtRange.Some.RelocatableValue.Relocatable",
      message,
    );
  }
  if (size > MAX_SIZE) {
    const message = "out of range conversion regarding big integer attempted";
    return postProblem("RetdataSizeTooBig", message);
  }
  if (typeof start === "bigint") {
    const message = `Cant convert felt: ${start} to Relocatable`;
    return postProblem("MathError.Felt252ToRelocatable", message);
  }
  if (size === 0n) return FeltBlock.EMPTY;
  const { segment, offset } = start;
  const end = offset + Number(size);
  const segmentSize = kernel.segmentSize(segment);
  if (end <= segmentSize) {
    if (Number(size) * CELL_BYTES > limits.hostBytes) throw new MemoryLimitReached();
    const block = kernel.readBlock(start, Number(size));
    if (block !== undefined) return block;
  }
  for (const [at, cell] of cellsOf(kernel, segment, Math.min(end, segmentSize), offset)) {
    if (typeof cell !== "bigint") return notInteger(start, at - offset, cell);
  }
  return notInteger(start, Math.max(0, segmentSize - offset), undefined);
}

/** Iterates over the cells of a segment with their offsets, reading them in parts. */
export function* cellsOf(
  kernel: VmKernel,
  segment: number,
  end: number,
  start = 0,
): Generator<readonly [number, CellValue]> {
  for (let first = start; first < end; first += PART_CELLS) {
    const cells = kernel.readMany({ segment, offset: first }, Math.min(PART_CELLS, end - first));
    for (let i = 0; i < cells.length; i++) yield [first + i, cells[i]];
  }
}

function notInteger(start: Address, index: number, cell: CellValue): EndProblem {
  const place = addressText(addressOf(start.segment, exactOffset(start) + BigInt(index)));
  const [name, text] =
    cell === undefined
      ? ["UnknownMemoryCell", "Unknown memory cell"]
      : ["ExpectedInteger", "Expected integer"];
  const kind = `VirtualMachineError.Memory.${name}.Relocatable`;
  return postProblem(kind, `${text} at address ${place}`);
}
