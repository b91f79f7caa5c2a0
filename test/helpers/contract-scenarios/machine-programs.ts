import { hash } from "starknet";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import {
  encode,
  felt,
  jump,
  push,
  pushFromFp,
  RETURN,
  returningCalldata,
} from "#test/unit/engine/cairo/assembler.ts";
import type { Json } from "./kit.ts";

/** Bytecode written by hand, with one entry point or those of an account. */
export interface MachineProgram {
  readonly name: string;
  readonly bytecode: readonly bigint[];
  /** Offsets by function name. */
  readonly functions: Readonly<Record<string, number>>;
}

/** How often the account of {@link blakeAccount} executes the Blake2s instruction. */
export const BLAKE_ROUNDS = 20_000n;

const VALID = BigInt("0x56414c4944");

/** `call rel distance` */
function call(distance: number): bigint[] {
  return [encode({ off0: 0, off1: 1, off2: 1, flags: 0x1104 }), felt(BigInt(distance))];
}

/** `[ap] = [fp + offset] + value; ap++` */
function pushFromFpPlus(offset: number, value: bigint): bigint[] {
  return [encode({ off0: 0, off1: offset, off2: 1, flags: 0x4826 }), felt(value)];
}

/** `[ap] = [ap + offset] + value; ap++` */
function pushSum(offset: number, value: bigint): bigint[] {
  return [encode({ off0: 0, off1: offset, off2: 1, flags: 0x4824 }), felt(value)];
}

/** An account that takes everything and whose `__execute__` hashes in a loop. */
function blakeAccount(): MachineProgram {
  // A call stores the frame pointer, which becomes the address of what was pushed before it; the
  // arguments of the outer frame lie `depth` cells further down.
  const returned = (depth: number, start: bigint[], end: bigint[]): bigint[] => [
    ...[...pushFromFp(-6 - depth), ...pushFromFp(-5 - depth), ...push(0n)],
    ...[...start, ...end, ...RETURN],
  ];
  const validate = [
    ...[...push(VALID), ...call(3), ...RETURN],
    ...returned(3, pushFromFp(-2), pushFromFpPlus(-2, 1n)),
  ];
  // Eight words of state, sixteen of message, room for eight of output.
  const words = 8 + 16;
  const frame = words + 8 + 2;
  const data = Array.from({ length: words }, (_, i) => push(BigInt(i + 1))).flat();
  const loop = [
    // [ap] = address of the output; then the instruction: counter [fp], state [fp + 1], message [fp + 2]
    encode({ off0: 0, off1: -1, off2: 3, flags: 0x400a }),
    encode({ off0: 0, off1: 1, off2: 2, flags: 0x080b }) | (1n << 63n),
    ...pushSum(-2, -1n),
    ...[encode({ off0: -1, off1: -1, off2: 1, flags: 0x0206 }), felt(-4n)],
  ];
  const execute = [
    ...data,
    ...[encode({ off0: -1, off1: -1, off2: 1, flags: 0x0407 }), 8n],
    ...[...call(3), ...RETURN],
    ...[...push(64n), ...pushFromFp(-2), ...pushFromFpPlus(-2, 8n)],
    ...pushFromFpPlus(-2, BigInt(words)),
    ...[...push(BLAKE_ROUNDS), ...loop],
    ...returned(frame, pushFromFp(-4 - frame), pushFromFp(-4 - frame)),
  ];
  return {
    name: "blake_account",
    bytecode: [...validate, ...execute],
    functions: { __execute__: validate.length, __validate__: 0 },
  };
}

function program(name: string, bytecode: readonly bigint[]): MachineProgram {
  return { name, bytecode, functions: { run: 0 } };
}

/** Programs that no compiler makes, of which each had another end than in the reference engine. */
export function machinePrograms(): MachineProgram[] {
  const atFp = (flags: number, off2: number): bigint => encode({ off0: -1, off1: -1, off2, flags });
  return [
    blakeAccount(),
    // [ap - 1] = [[ap - 3] + 1]: leaves a hole behind the calldata
    program("behind_the_calldata", returningCalldata([0x400080017ffd7fffn])),
    program("returns_integers", [...push(0n), ...push(0n), ...push(0n), ...RETURN]),
    program("returns_address_less_integer", [
      ...[...pushFromFp(-6), ...pushFromFp(-5), ...push(0n), ...push(0n), ...pushFromFp(-4)],
      ...RETURN,
    ]),
    program("returns_no_flag", [...pushFromFp(-4), ...pushFromFp(-4), ...RETURN]),
    program("returns_a_gap", [atFp(0x0407, 1), 4n, ...RETURN]),
    program("returns_unknown_cells", [
      ...[...pushFromFp(-6), ...pushFromFp(-5), ...push(0n), ...pushFromFp(-4)],
      ...[...pushFromFpPlus(-3, 5n), ...RETURN],
    ]),
    // ap goes far beyond all memory, and comes back
    program("far_ap_and_back", [
      ...[atFp(0x0407, 1), 1n << 62n],
      ...[atFp(0x0407, 1), FIELD_PRIME - (1n << 62n)],
      ...returningCalldata([]),
    ]),
    program("far_ap", [...[atFp(0x0407, 1), 1n << 63n], ...push(1n)]),
    program("furthest_ap", [
      ...[atFp(0x0407, 1), (1n << 64n) - 20n],
      encode({ off0: 0, off1: 20, off2: -1, flags: 0x4000 }),
    ]),
    program("jumps_far", jump(2 ** 40)),
    program("jumps_furthest", [atFp(0x0107, 1), (1n << 64n) - 1n]),
    program("jumps_too_far", [atFp(0x0107, 1), 1n << 64n]),
    program("calls_before_the_program", call(-5)),
    program("jumps_to_the_calldata", [atFp(0x008b, -4)]),
    program("furthest_address", [
      ...[...pushFromFpPlus(-4, (1n << 64n) - 1n), ...pushSum(-1, FIELD_PRIME - 1n)],
      encode({ off0: -2, off1: -1, off2: -1, flags: 0x4008 }),
    ]),
  ];
}

/** A program as a compiled class file. */
export function machineClass({ bytecode, functions }: MachineProgram): Json {
  const entryPoints = Object.entries(functions)
    .map(([name, offset]) => ({ selector: hash.getSelectorFromName(name), offset, builtins: [] }))
    .sort((a, b) => (BigInt(a.selector) < BigInt(b.selector) ? -1 : 1));
  return {
    prime: `0x${FIELD_PRIME.toString(16)}`,
    compiler_version: "2.20.0",
    bytecode: bytecode.map((word) => `0x${word.toString(16)}`),
    hints: [],
    entry_points_by_type: { EXTERNAL: entryPoints, L1_HANDLER: [], CONSTRUCTOR: [] },
  };
}
