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
import {
  call,
  deref,
  type MachineProgram,
  overwriting,
  program,
  pushFromFpPlus,
  pushSum,
  syscallProgram,
} from "./machine-kit.ts";

/** Number of Blake2s instructions that the account of {@link blakeAccount} executes. */
export const BLAKE_ROUNDS = 20_000n;

const VALID = BigInt("0x56414c4944");

/** An account that accepts everything and whose `__execute__` hashes in a loop. */
function blakeAccount(): MachineProgram {
  // A call stores the frame pointer, which becomes the address of the previous push; the arguments
  // of the outer frame are `depth` cells below.
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
    kind: "EXTERNAL",
    hints: [],
  };
}

/**
 * Programs that no compiler produces, each of which once had another result than in the reference
 * engine.
 */
export function machinePrograms(): MachineProgram[] {
  const atFp = (flags: number, off2: number): bigint => encode({ off0: -1, off1: -1, off2, flags });
  return [
    blakeAccount(),
    // [ap - 1] = [[ap - 3] + 1]: leaves a hole after the calldata
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
    // ap goes far beyond all memory, and returns
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
    ...hintedPrograms(),
    ...emptyRanges(),
  ];
}

/** Programs with hints that no compiler produces. */
function hintedPrograms(): MachineProgram[] {
  const two64 = push(1n << 64n);
  const empty = [pushFromFp(-4), pushFromFp(-4)];
  const deployment = [push(1n), push(2n), ...empty];
  const at = deref("FP", -5);
  return [
    // The operand is no syscall pointer: another address, an integer, a cell without a value.
    ...Object.entries({
      another_address: deref("FP", -4),
      an_integer: deref("AP", -2),
      nothing: deref("FP", 100),
      a_constant: { Immediate: "0x5" },
    }).map(([name, system]) =>
      syscallProgram(`syscall_at_${name}`, "GetBlockHash", [push(1n)], 3, system),
    ),
    syscallProgram("block_number_over_64_bits", "GetBlockHash", [two64], 3, at),
    syscallProgram("block_number_is_an_address", "GetBlockHash", [pushFromFp(-4)], 3, at),
    syscallProgram("deploy_from_two", "Deploy", [...deployment, push(255n)], 3, at),
    syscallProgram("storage_of_other_domain", "StorageRead", [push(255n), push(1n)], 3, at),
    syscallProgram("gas_over_64_bits", "GetBlockHash", [push(1n)], 3, at, 1n << 64n),
    syscallProgram("syscall_of_cairo_0", "GetCallerAddress", [], 3, at),
    syscallProgram("syscall_of_other_name", "Depoly", [...deployment, push(0n)], 3, at),
    // Syscalls with missing or wrong arguments.
    syscallProgram("syscall_without_arguments", "StorageRead", [], 3, at),
    syscallProgram(
      "event_of_nothing",
      "EmitEvent",
      [...empty, pushFromFpPlus(-4, 5n), pushFromFpPlus(-4, 7n)],
      2,
      at,
    ),
    syscallProgram(
      "event_of_addresses",
      "EmitEvent",
      [...empty, pushFromFpPlus(-5, 0n), pushFromFpPlus(-5, 5n)],
      2,
      at,
    ),
    syscallProgram("event_of_no_array", "EmitEvent", [push(1n), push(2n), ...empty], 2, at),
    syscallProgram(
      "event_from_end_to_start",
      "EmitEvent",
      [...empty, pushFromFp(-3), pushFromFp(-4)],
      2,
      at,
    ),
    syscallProgram(
      "event_over_two_segments",
      "EmitEvent",
      [...empty, pushFromFp(-4), pushFromFp(-5)],
      2,
      at,
    ),
    // Results with cells that were never written.
    ...Object.entries({ panics_with_nothing: 1n, returns_nothing: 0n }).map(([name, flag]) =>
      program(name, [
        ...[...pushFromFp(-6), ...pushFromFp(-5), ...push(flag)],
        ...[...pushFromFpPlus(-4, 4n), ...pushFromFpPlus(-4, 6n), ...RETURN],
      ]),
    ),
    // The failure flag, then the end, then the gas is the cell after all others.
    ...[3, 1, 5].map((place) =>
      program(`returns_with_unknown_${place}`, [
        ...Array.from({ length: 5 - place }, (_, i) => pushFromFp(-6 + i)).flat(),
        ...[encode({ off0: -1, off1: -1, off2: 1, flags: 0x0407 }), 1n],
        ...Array.from({ length: place - 1 }, () => pushFromFp(-4)).flat(),
        ...RETURN,
      ]),
    ),
    overwriting("hint_overwrites", (dst) => ({
      TestLessThan: { lhs: { Immediate: "0x1" }, rhs: { Immediate: "0x2" }, dst },
    })),
    overwriting("segment_overwrites", (dst) => ({ AllocSegment: { dst } })),
    program(
      "hint_reads_nothing",
      [...push(7n), ...returningCalldata([])],
      [
        [
          2,
          [
            {
              TestLessThan: {
                lhs: deref("FP", 100),
                rhs: { Immediate: "0x2" },
                dst: { register: "AP", offset: 0 },
              },
            },
          ],
        ],
      ],
    ),
    program("reads_nothing", [encode({ off0: 0, off1: -1, off2: 50, flags: 0x480a }), ...RETURN]),
  ];
}

/** Syscalls over empty ranges, and a handler of a message from L1 without a sender. */
function emptyRanges(): MachineProgram[] {
  const at = deref("FP", -5);
  const written = [pushFromFp(-4), pushFromFp(-4)];
  const unwritten = [pushFromFpPlus(-5, 100n), pushFromFpPlus(-5, 100n)];
  return [
    syscallProgram("keccak_of_nothing", "Keccak", written, 4, at),
    syscallProgram("keccak_of_unwritten_nothing", "Keccak", unwritten, 4, at),
    syscallProgram("event_of_unwritten_nothing", "EmitEvent", [...written, ...unwritten], 2, at),
    { ...program("handles_anything", returningCalldata([])), kind: "L1_HANDLER" },
  ];
}

/** Compiled class file of a program. */
export function machineClass({ bytecode, functions, kind, hints }: MachineProgram): Json {
  const entryPoints = Object.entries(functions)
    .map(([name, offset]) => ({ selector: hash.getSelectorFromName(name), offset, builtins: [] }))
    .sort((a, b) => (BigInt(a.selector) < BigInt(b.selector) ? -1 : 1));
  return {
    prime: `0x${FIELD_PRIME.toString(16)}`,
    compiler_version: "2.20.0",
    bytecode: bytecode.map((word) => `0x${word.toString(16)}`),
    hints,
    entry_points_by_type: { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [], [kind]: entryPoints },
  };
}
