import { pedersen, poseidonSmall } from "@scure/starknet";
import { ecOp } from "../field.ts";
import { at, integer, isPointer, type Memory, type Pointer, type Value } from "./memory.ts";

/** Cells of an instance, and how many of them are inputs. */
export const BUILTIN_CELLS: Readonly<Record<string, readonly [cells: number, inputs: number]>> = {
  pedersen: [3, 2],
  range_check: [1, 1],
  bitwise: [5, 2],
  ec_op: [7, 5],
  poseidon: [6, 3],
  segment_arena: [3, 3],
  range_check96: [1, 1],
  add_mod: [7, 7],
  mul_mod: [7, 7],
};

/** Computes an unknown cell of a builtin from its inputs; `undefined` when there is no rule. */
export function deduce(memory: Memory, name: string, address: Pointer): Value | undefined {
  const [cells, inputCount] = BUILTIN_CELLS[name] ?? [1, 1];
  const index = address.offset % cells;
  if (index < inputCount) return undefined;
  const inputs: bigint[] = [];
  for (let i = 0; i < inputCount; i++) {
    const value = memory.get(at(address, i - index));
    if (value === undefined || (isPointer(value) && name !== "poseidon")) return undefined;
    inputs.push(integer(value));
  }
  return compute(name, inputs)?.[index - inputCount];
}

function compute(name: string, inputs: readonly bigint[]): readonly bigint[] | undefined {
  const [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n] = inputs;
  if (name === "pedersen") return [BigInt(pedersen(a, b))];
  if (name === "bitwise") return [a & b, a ^ b, a | b];
  if (name === "poseidon") return poseidonSmall([a, b, c]);
  if (name === "ec_op") {
    const result = ecOp({ x: a, y: b }, { x: c, y: d }, e);
    return result === undefined ? undefined : [result.x, result.y];
  }
  return undefined;
}
