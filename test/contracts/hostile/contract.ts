import { selectorFromName } from "#protocol/crypto/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { Assembly, cell, fp } from "./assembly.ts";
import { CALL_WITH_ARRAY } from "./large-calls.ts";
import { ARGUMENTS, beginning, emitLoop, FRAME_CELLS, leave, leaveWith, RECORD } from "./loops.ts";
import { emitMachineLoops, MACHINE_LOOPS } from "./machine.ts";
import { SYSCALL_LOOPS } from "./syscalls.ts";

/** Felts of a record: operation, count, a, b, c, and whether to fail at the end. */
export const RECORD_FELTS = 6;

/** Operations in the order of their numbers. */
export const OPERATIONS: readonly string[] = [
  ...[...SYSCALL_LOOPS, ...MACHINE_LOOPS].map(({ name }) => name),
  "recursion",
  "return_tail",
  "panic_with_tail",
  CALL_WITH_ARRAY.name,
];

const BUILTINS = ["pedersen", "range_check", "bitwise", "ec_op", "poseidon"];

/**
 * Position of each entry point's record in its calldata; `null` for one that only returns `VALID`.
 */
const ENTRY_POINTS: readonly (readonly [string, number | null])[] = [
  ["run", 0],
  ["__validate__", 0],
  ["__execute__", RECORD_FELTS],
  ["__validate_declare__", null],
  ["__validate_deploy__", 2],
];

/** Variable members of a record. */
export interface RecordOptions {
  readonly count?: number | bigint;
  readonly a?: bigint;
  readonly b?: bigint;
  readonly c?: bigint;
  /** Panic after the last round. */
  readonly fails?: boolean;
}

/** A record of calldata: an operation with its arguments; the rest of the calldata is its tail. */
export function record(operation: string, options: RecordOptions = {}): bigint[] {
  const number = OPERATIONS.indexOf(operation);
  if (number < 0) throw new RangeError(`no operation ${operation}`);
  const { count = 1, a = 0n, b = 0n, c = 0n, fails = false } = options;
  return [BigInt(number), BigInt(count), a, b, c, fails ? 1n : 0n];
}

/** The contract's classes as JSON: Sierra form and CASM. */
export function hostileContract(): { readonly sierra: unknown; readonly casm: unknown } {
  const assembly = new Assembly();
  for (const [name, start] of ENTRY_POINTS) emitEntryPoint(assembly, name, start);
  emitEntryPoint(assembly, "constructor", 0);
  emitEntryPoint(assembly, "handle", 1);
  emitDispatch(assembly);
  for (const loop of SYSCALL_LOOPS) emitLoop(assembly, loop);
  emitMachineLoops(assembly);
  for (const [name, flag] of [
    ["return_tail", 0n],
    ["panic_with_tail", 1n],
  ] as const) {
    assembly.label(name);
    assembly.begin(FRAME_CELLS);
    leave(assembly, beginning(), flag, RECORD.tail, ARGUMENTS.calldataEnd);
  }
  emitLoop(assembly, CALL_WITH_ARRAY);
  const bytecode = assembly.finish();
  const entryPoint = (name: string): object => ({
    selector: hex(selectorFromName(name)),
    offset: assembly.address(name),
    builtins: BUILTINS,
  });
  const external = sorted(ENTRY_POINTS.map(([name]) => name));
  return {
    sierra: {
      // A version metered by gas, without code: the CASM is not compiled from it.
      sierra_program: ["0x1", "0x7", "0x0", "0x2", "0x8", "0x2"],
      contract_class_version: "0.1.0",
      entry_points_by_type: {
        CONSTRUCTOR: [{ selector: hex(selectorFromName("constructor")), function_idx: 0 }],
        EXTERNAL: external.map((name, index) => ({
          selector: hex(selectorFromName(name)),
          function_idx: index + 2,
        })),
        L1_HANDLER: [{ selector: hex(selectorFromName("handle")), function_idx: 1 }],
      },
      abi: "[]",
    },
    casm: {
      prime: hex(FIELD_PRIME),
      compiler_version: "2.8.2",
      bytecode: bytecode.map(hex),
      bytecode_segment_lengths: bytecode.length,
      hints: assembly.hints,
      entry_points_by_type: {
        EXTERNAL: external.map(entryPoint),
        L1_HANDLER: [entryPoint("handle")],
        CONSTRUCTOR: [entryPoint("constructor")],
      },
    },
  };
}

function emitEntryPoint(assembly: Assembly, name: string, start: number | null): void {
  assembly.label(name);
  assembly.begin(0);
  if (start === null) leaveWith(assembly, beginning(), 0n, "VALID");
  else {
    assembly.add(ARGUMENTS.calldata, BigInt(start));
    assembly.jump("dispatch");
  }
}

/** Reads the record and jumps into the table of operations. */
function emitDispatch(assembly: Assembly): void {
  assembly.label("dispatch");
  assembly.begin(1);
  for (let i = 0; i < RECORD_FELTS; i++) assembly.load(RECORD.start, i);
  assembly.add(RECORD.start, BigInt(RECORD_FELTS));
  const words = cell(assembly.sum(RECORD.operation, RECORD.operation));
  const distance = assembly.add(words, 1n);
  assembly.jumpBy(fp(distance));
  for (const name of OPERATIONS) assembly.jump(name);
}

/** Sorts by selector, the required order of entry points. */
function sorted(names: readonly string[]): string[] {
  return [...names].sort((a, b) => (selectorFromName(a) < selectorFromName(b) ? -1 : 1));
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
