import { shortString } from "starknet";
import {
  encode,
  felt,
  push,
  pushFromFp,
  RETURN,
  returningCalldata,
} from "#test/unit/engine/cairo/assembler.ts";
import type { Json } from "./kit.ts";

/** Handwritten bytecode, with one entry point or those of an account. */
export interface MachineProgram {
  readonly name: string;
  readonly bytecode: readonly bigint[];
  /** Offsets by function name. */
  readonly functions: Readonly<Record<string, number>>;
  /** Kind of the functions. */
  readonly kind: "EXTERNAL" | "L1_HANDLER";
  /** Hints by the offset of the following instruction. */
  readonly hints: readonly (readonly [offset: number, hints: readonly Json[]])[];
}

/** Bytecode of `call rel distance`. */
export function call(distance: number): bigint[] {
  return [encode({ off0: 0, off1: 1, off2: 1, flags: 0x1104 }), felt(BigInt(distance))];
}

/** Bytecode of `[ap] = [fp + offset] + value; ap++`. */
export function pushFromFpPlus(offset: number, value: bigint): bigint[] {
  return [encode({ off0: 0, off1: offset, off2: 1, flags: 0x4826 }), felt(value)];
}

/** Bytecode of `[ap] = [ap + offset] + value; ap++`. */
export function pushSum(offset: number, value: bigint): bigint[] {
  return [encode({ off0: 0, off1: offset, off2: 1, flags: 0x4824 }), felt(value)];
}

/** A program with one function, `run`. */
export function program(
  name: string,
  bytecode: readonly bigint[],
  hints: MachineProgram["hints"] = [],
): MachineProgram {
  return { name, bytecode, functions: { run: 0 }, kind: "EXTERNAL", hints };
}

/**
 * `[[fp - 5] + offset] = [ap - 1]`: stores the last pushed value in a cell of the syscall segment.
 */
function storeForSyscall(offset: number): bigint {
  return encode({ off0: -1, off1: -5, off2: offset, flags: 0x4002 });
}

/** Operand of `SystemCall` in a frame: register and offset. */
export function deref(register: "AP" | "FP", offset: number): Json {
  return { Deref: { register, offset } };
}

/**
 * A program that makes one syscall and returns its calldata.
 *
 * @param fields - instructions that push each field of the request after selector and gas
 * @param responseCells - number of cells of a successful response
 * @param system - the hint's operand
 */
export function syscallProgram(
  name: string,
  syscall: string,
  fields: readonly (readonly bigint[])[],
  responseCells: number,
  system: Json,
  gas = 10n ** 9n,
): MachineProgram {
  const request = [push(BigInt(shortString.encodeShortString(syscall))), push(gas), ...fields];
  const stores = request.flatMap((cells, offset) => [...cells, storeForSyscall(offset)]);
  const end = request.length + responseCells;
  const bytecode = [
    ...stores,
    ...[...pushFromFp(-6), ...pushFromFpPlus(-5, BigInt(end)), ...push(0n)],
    ...[...pushFromFp(-4), ...pushFromFp(-3), ...RETURN],
  ];
  return program(name, bytecode, [[stores.length, [{ SystemCall: { system } }]]]);
}

/** A program with one hint that writes to a cell that already has another value. */
export function overwriting(name: string, hint: (dst: Json) => Json): MachineProgram {
  return program(
    name,
    [...push(7n), ...returningCalldata([])],
    [[2, [hint({ register: "AP", offset: -1 })]]],
  );
}
