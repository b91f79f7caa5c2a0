import type { CasmClass } from "#protocol/chain/index.ts";
import { createCairoVm, type EntryPointRun, type RunOutcome } from "#engine/cairo/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { NO_SYSCALLS } from "./no-syscalls.ts";

/** Fields of an instruction word. */
export interface Instruction {
  readonly off0: number;
  readonly off1: number;
  readonly off2: number;
  /** Bits 48 and above. */
  readonly flags: number;
}

/** Encodes an instruction word. */
export function encode({ off0, off1, off2, flags }: Instruction): bigint {
  const biased = (offset: number): bigint => BigInt(offset + 0x8000);
  return biased(off0) | (biased(off1) << 16n) | (biased(off2) << 32n) | (BigInt(flags) << 48n);
}

/** `[ap] = value; ap++` */
export function push(value: bigint): bigint[] {
  return [encode({ off0: 0, off1: -1, off2: 1, flags: 0x4806 }), felt(value)];
}

/** `[ap] = [ap + a] + [ap + b]; ap++` */
export function pushSum(a: number, b: number): bigint[] {
  return [encode({ off0: 0, off1: a, off2: b, flags: 0x4830 })];
}

/** `[ap] = [ap + a] + value; ap++` */
export function pushPlus(a: number, value: bigint): bigint[] {
  return [encode({ off0: 0, off1: a, off2: 1, flags: 0x4824 }), felt(value)];
}

/** `[ap] = [fp + offset]; ap++` */
export function pushFromFp(offset: number): bigint[] {
  return [encode({ off0: 0, off1: -1, off2: offset, flags: 0x480a })];
}

/** `jmp rel distance` */
export function jump(distance: number): bigint[] {
  return [encode({ off0: -1, off1: -1, off2: 1, flags: 0x0107 }), felt(BigInt(distance))];
}

/** `jmp rel distance if [ap + offset] != 0` */
export function jumpIf(offset: number, distance: number): bigint[] {
  return [encode({ off0: offset, off1: -1, off2: 1, flags: 0x0206 }), felt(BigInt(distance))];
}

/** `ret` */
export const RETURN: readonly bigint[] = [0x208b7fff7fff7ffen];

/** Converts a signed number to a felt. */
export function felt(value: bigint): bigint {
  return ((value % FIELD_PRIME) + FIELD_PRIME) % FIELD_PRIME;
}

/** Class of this bytecode without entry points. */
export function classOf(
  bytecode: readonly bigint[],
  hints: Readonly<Record<number, readonly unknown[]>> = {},
): CasmClass {
  return {
    prime: FIELD_PRIME,
    compilerVersion: "2.20.0",
    bytecode,
    bytecodeSegmentLengths: null,
    hints: new Map(Object.entries(hints).map(([pc, list]) => [Number(pc), list])),
    entryPoints: { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] },
  };
}

/** Program that executes `body` and then returns its calldata as an array. */
export function returningCalldata(body: readonly bigint[]): bigint[] {
  // Arguments without builtins: gas, syscall pointer, calldata start and end; then the return fp
  // and pc.
  return [
    ...body,
    ...pushFromFp(-6),
    ...pushFromFp(-5),
    ...push(0n),
    ...pushFromFp(-4),
    ...pushFromFp(-3),
    ...RETURN,
  ];
}

const vm = createCairoVm();

/** Runs bytecode from its first cell, by default on a machine shared by this file's users. */
export function runBytecode(
  casm: CasmClass,
  options: Partial<EntryPointRun> = {},
  on = vm,
): RunOutcome {
  return on.run({
    program: on.prepare(casm),
    entryPointOffset: 0,
    builtins: [],
    gas: 1_000_000n,
    calldata: [],
    builtinCosts: [],
    maxSteps: 10_000,
    countHoles: true,
    host: NO_SYSCALLS,
    ...options,
  });
}
