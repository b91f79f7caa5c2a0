import type { ApTracking, LegacyReference, LegacyTerm } from "#protocol/chain/index.ts";
import type { Address, CellValue, VmKernel } from "#kernels/vm/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";

type Registers = Pick<VmKernel, "ap" | "fp" | "read">;

/** Bound of the machine's addresses. */
const MAX_OFFSET = 2 ** 32;

/**
 * Value of a Cairo 0 variable at the current registers.
 *
 * @param at - allocation pointer tracking of the referencing location
 * @returns `undefined` when a part of the expression is unknown or meaningless
 */
export function referenceValue(
  kernel: Registers,
  reference: LegacyReference,
  at: ApTracking,
): CellValue {
  let value = combine(kernel, reference, at, reference.isDifference);
  if (reference.inner) value = cellAt(kernel, value);
  if (reference.outer) value = cellAt(kernel, value);
  return value;
}

/** Address of the cell that holds a Cairo 0 variable. */
export function referenceAddress(
  kernel: Registers,
  reference: LegacyReference,
  at: ApTracking,
): Address | undefined {
  // A difference is an integer, which has no address.
  let value = combine(kernel, reference, at, false);
  if (reference.inner) value = cellAt(kernel, value);
  return typeof value === "object" ? value : undefined;
}

function combine(
  kernel: Registers,
  { first, second, apTracking }: LegacyReference,
  at: ApTracking,
  isDifference: boolean,
): CellValue {
  const left = termValue(kernel, first, apTracking, at);
  const right = termValue(kernel, second, apTracking, at);
  if (left === undefined || right === undefined) return undefined;
  return isDifference ? difference(left, right) : sum(left, right);
}

function termValue(
  kernel: Registers,
  term: LegacyTerm,
  tracking: ApTracking,
  at: ApTracking,
): CellValue {
  if (term.kind === "number") return term.value;
  let base = kernel.fp;
  if (term.register === "ap") {
    if (tracking.group !== at.group) return undefined;
    base = kernel.ap - (at.offset - tracking.offset);
    if (base < 0) return undefined;
  }
  const offset = base + term.offset;
  if (offset < 0) return undefined;
  const address = { segment: 1, offset };
  return term.isCell ? kernel.read(address) : address;
}

function cellAt(kernel: Registers, address: CellValue): CellValue {
  return typeof address === "object" ? kernel.read(address) : undefined;
}

function sum(left: bigint | Address, right: bigint | Address): CellValue {
  if (typeof left === "bigint") {
    return typeof right === "bigint" ? (left + right) % FIELD_PRIME : moved(right, left);
  }
  return typeof right === "bigint" ? moved(left, right) : undefined;
}

function difference(left: bigint | Address, right: bigint | Address): CellValue {
  if (typeof left === "bigint") {
    return typeof right === "bigint" ? (left + FIELD_PRIME - right) % FIELD_PRIME : undefined;
  }
  if (typeof right === "bigint") return moved(left, FIELD_PRIME - right);
  if (left.segment !== right.segment) return undefined;
  const distance = BigInt(left.offset - right.offset);
  return distance < 0n ? distance + FIELD_PRIME : distance;
}

/** Address plus a field element; large elements act as negative distances. */
export function moved({ segment, offset }: Address, by: bigint): Address | undefined {
  const target = (BigInt(offset) + by) % FIELD_PRIME;
  return target < MAX_OFFSET ? { segment, offset: Number(target) } : undefined;
}
