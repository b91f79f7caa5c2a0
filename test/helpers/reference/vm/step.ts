import { P, inverse } from "../field.ts";
import {
  add,
  at,
  fail,
  integer,
  isPointer,
  type Memory,
  type Pointer,
  same,
  sub,
  Unsupported,
  type Value,
} from "./memory.ts";

/** Registers; ap and fp are offsets in segment 1. */
export interface Registers {
  pc: Pointer;
  ap: number;
  fp: number;
}

function mul(a: Value, b: Value): Value {
  return (integer(a) * integer(b)) % P;
}

function divide(a: Value | undefined, b: Value | undefined): Value | undefined {
  if (typeof a !== "bigint" || typeof b !== "bigint" || b === 0n) return undefined;
  return (a * inverse(b)) % P;
}

/** Executes one instruction by definition; deduce() computes cells of builtins. */
export function step(
  memory: Memory,
  registers: Registers,
  deduce: (address: Pointer) => Value | undefined,
): void {
  const word = integer(memory.get(registers.pc));
  const extension = word >> 63n;
  if (extension === 1n || extension === 2n) throw new Unsupported("Blake2s instruction");
  if (extension !== 0n) fail("instruction");
  const field = (shift: number, bits: number): number =>
    Number((word >> BigInt(shift)) & ((1n << BigInt(bits)) - 1n));
  const [off0, off1, off2] = [0, 16, 32].map((shift) => field(shift, 16) - 0x8000) as [
    number,
    number,
    number,
  ];
  const source = field(50, 3);
  const logic = field(53, 2);
  const pcUpdate = field(55, 3);
  const apUpdate = field(58, 2);
  const opcode = field(60, 3);
  const size = source === 1 ? 2 : 1;
  const ap: Pointer = { segment: 1, offset: registers.ap };
  const fp: Pointer = { segment: 1, offset: registers.fp };

  const dstAt = at(field(48, 1) === 1 ? fp : ap, off0);
  const op0At = at(field(49, 1) === 1 ? fp : ap, off1);
  let dst = memory.get(dstAt);
  let op0 = memory.get(op0At);
  let op1At = at(source === 2 ? fp : ap, source === 2 || source === 4 ? off2 : 0);
  if (source === 1) op1At = at(registers.pc, off2 === 1 ? 1 : fail("immediate"));
  else if (source === 0) op1At = at(isPointer(op0) ? op0 : fail("op0"), off2);
  else if (source !== 2 && source !== 4) fail("op1 source");
  let op1 = memory.get(op1At);

  if (op0 === undefined) {
    if (opcode === 1) op0 = at(registers.pc, size);
    else if (opcode === 4 && logic === 1 && dst !== undefined && op1 !== undefined)
      op0 = sub(dst, op1);
    else if (opcode === 4 && logic === 2) op0 = divide(dst, op1);
    if (op0 === undefined) fail("op0 unknown");
    memory.set(op0At, op0);
  }
  if (op1 === undefined) {
    op1 = deduce(op1At);
    if (op1 === undefined && opcode === 4 && dst !== undefined) {
      op1 = logic === 0 ? dst : logic === 1 ? sub(dst, op0) : divide(dst, op0);
    }
    if (op1 === undefined) fail("op1 unknown");
    memory.set(op1At, op1);
  }
  const isConstrained = !(logic === 0 && pcUpdate === 4);
  const res = logic === 0 ? op1 : logic === 1 ? add(op0, op1) : mul(op0, op1);
  if (dst === undefined) {
    if (opcode === 4 && isConstrained) dst = res;
    else if (opcode === 1) dst = fp;
    else fail("dst unknown");
    memory.set(dstAt, dst);
  }
  if (opcode === 4 && !same(dst, res)) fail("assert_eq");
  if (opcode === 1 && !(same(op0, at(registers.pc, size)) && same(dst, fp))) fail("call");
  for (const address of [dstAt, op0At, op1At, registers.pc]) memory.mark(address);

  if (opcode === 1) registers.fp = registers.ap + 2;
  else if (opcode === 2) registers.fp = isPointer(dst) ? dst.offset : Number(dst);
  if (opcode === 1) registers.ap += 2;
  else if (apUpdate === 1) registers.ap = pointerOffset(add(ap, res));
  else if (apUpdate === 2) registers.ap += 1;
  if (pcUpdate === 0) registers.pc = at(registers.pc, size);
  else if (pcUpdate === 1) registers.pc = isPointer(res) ? res : fail("jump");
  else if (pcUpdate === 2) registers.pc = add(registers.pc, integer(res)) as Pointer;
  else if (dst === 0n) registers.pc = at(registers.pc, size);
  else registers.pc = add(registers.pc, integer(op1)) as Pointer;
}

function pointerOffset(value: Value): number {
  return isPointer(value) ? value.offset : fail("ap");
}
