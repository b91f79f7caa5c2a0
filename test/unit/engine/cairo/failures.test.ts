import { describe, expect, test } from "bun:test";
import type { EntryPointRun } from "#engine/cairo/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import {
  classOf,
  encode,
  felt,
  push,
  pushFromFp,
  pushSum,
  RETURN,
  runBytecode,
} from "./assembler.ts";

/** Message, location and call stack of a failing run. */
function failure(bytecode: readonly bigint[], options: Partial<EntryPointRun> = {}): unknown {
  const outcome = runBytecode(classOf(bytecode), options);
  return outcome.kind === "failed" ? outcome.failure : outcome;
}

/** `assert [ap + a] = [ap + b]` */
function assertEqual(a: number, b: number): bigint[] {
  return [encode({ off0: a, off1: -1, off2: b, flags: 0x4012 })];
}

/** `[ap] = [[ap + a] + b]; ap++` */
function pushDereferenced(a: number, b: number): bigint[] {
  return [encode({ off0: 0, off1: a, off2: b, flags: 0x4800 })];
}

/** `assert [ap + a] = [[fp + b] + c]` */
function assertAt(a: number, b: number, c: number): bigint[] {
  return [encode({ off0: a, off1: b, off2: c, flags: 0x4002 })];
}

/** `call rel distance` */
function call(distance: number): bigint[] {
  return [encode({ off0: 0, off1: 1, off2: 1, flags: 0x1104 }), felt(BigInt(distance))];
}

// Arguments without builtins: fp - 6 gas, - 5 syscall pointer, - 4 and - 3 calldata start and
// end.
// Segments: 0 program, 1 execution, 2 costs, 3 syscalls, 4 calldata, 5 end. fp is 6.

describe("failures have the messages of the reference engine:", () => {
  const cases: readonly (readonly [string, readonly bigint[], string])[] = [
    [
      "unequal values",
      [...push(1n), ...push(0n), ...assertEqual(-2, -1)],
      "An ASSERT_EQ instruction failed: 1 != 0.",
    ],
    [
      "unequal addresses",
      [...pushFromFp(-4), ...pushFromFp(-5), ...assertEqual(-2, -1)],
      "An ASSERT_EQ instruction failed: 4:0 != 3:0.",
    ],
    [
      "an unknown cell",
      pushFromFp(7),
      "Couldn't compute operand op1. Unknown value for memory cell 1:13",
    ],
    [
      "a sum of addresses",
      [...pushFromFp(-5), ...pushSum(-1, -1)],
      "Operation failed: 3:0 + 3:0, can't add two relocatable values",
    ],
    [
      "an address out of range",
      [...pushFromFp(-4), ...push(FIELD_PRIME - 1n), ...pushSum(-2, -1)],
      `Operation failed: 4:0 + ${FIELD_PRIME - 1n}, maximum offset value exceeded`,
    ],
    ["an unknown pointer", pushDereferenced(1, 0), "op0 must be known in double dereference"],
    [
      "an integer used as a pointer",
      [...push(5n), ...pushDereferenced(-1, 0)],
      "Memory addresses must be relocatable",
    ],
    [
      "a product with an address",
      [...pushFromFp(-5), encode({ off0: 0, off1: -1, off2: -1, flags: 0x4850 })],
      "Failed to compute Res.MUL: Could not complete computation of non pure values 3:0 * 3:0",
    ],
    [
      "an address as instruction",
      [encode({ off0: -1, off1: -1, off2: -4, flags: 0x008b })],
      "Unknown memory cell at address 4:0",
    ],
    ["an invalid instruction", [1n << 70n], "Invalid opcode extension value: 128"],
  ];
  test.each(cases)("%s", (_, bytecode, message) => {
    expect(failure(bytecode)).toMatchObject({ message });
  });

  // With a builtin in segment 2 the others move by one; its pointer is fp - 7.
  test("a range check", () => {
    const body = [...push((1n << 128n) + 1n), ...assertAt(-1, -7, 0)];
    expect(failure(body, { builtins: ["range_check"] })).toMatchObject({
      message:
        "Range-check validation failed, number 340282366920938463463374607431768211457 " +
        "is out of valid range [0, 340282366920938463463374607431768211456]",
    });
  });

  test("a bitwise input of 252 bits", () => {
    const body = [
      ...push(1n << 251n),
      ...assertAt(-1, -7, 0),
      ...push(15n),
      ...assertAt(-1, -7, 1),
      encode({ off0: 0, off1: -7, off2: 2, flags: 0x4802 }),
    ];
    expect(failure(body, { builtins: ["bitwise"] })).toMatchObject({
      message:
        "Expected integer at address Relocatable { segment_index: 2, offset: 0 } to be smaller " +
        "than 2^251, Got 3618502788666131106986593281521497120414687020801267626233049500247285301248",
    });
  });

  test("builtins in the wrong order", () => {
    expect(failure(RETURN, { builtins: ["bitwise", "pedersen"] })).toEqual({
      message:
        "Entry point uses unsupported builtins or an invalid builtin order: [bitwise, pedersen].",
      pc: null,
      traceback: [],
    });
  });

  test("a builtin instance without all of its inputs", () => {
    const values = [
      ...pushFromFp(-6),
      ...pushFromFp(-5),
      ...push(0n),
      ...pushFromFp(-4),
      ...pushFromFp(-3),
    ];
    const body = [...push(1n), ...assertAt(-1, -7, 1), ...values, ...RETURN];
    expect(failure(body, { builtins: ["pedersen"] })).toMatchObject({
      message: "Missing memory cells for pedersen_builtin",
      pc: null,
    });
  });
});

describe("failure locations", () => {
  test("list the calls to the failing instruction, outermost first", () => {
    // 0: call 4; 2: ret; 3: -; 4: call 8; 6: ret; 7: -; 8: 1 = 0
    const bytecode = [
      ...[...call(4), ...RETURN, 0n],
      ...[...call(4), ...RETURN, 0n],
      ...[...push(1n), ...push(0n), ...assertEqual(-2, -1)],
    ];
    expect(failure(bytecode)).toEqual({
      message: "An ASSERT_EQ instruction failed: 1 != 0.",
      pc: "0:12",
      traceback: ["0:0", "0:4"],
    });
  });

  test("list at most the twenty innermost calls", () => {
    // 0: jump if the counter is not zero; 2: fail; 5: call 0 with the counter less one
    const bytecode = [
      ...push(1n),
      ...[encode({ off0: 0, off1: -3, off2: 1, flags: 0x4826 }), felt(-1n)],
      ...[encode({ off0: -1, off1: -1, off2: 1, flags: 0x0206 }), 5n],
      ...[...push(1n), ...assertEqual(-1, -2)],
      ...call(-9),
    ];
    const outcome = runBytecode(classOf([...push(30n), ...call(2), ...bytecode]));
    const traceback = outcome.kind === "failed" ? outcome.failure.traceback : [];
    expect(traceback.length).toBe(20);
    expect(new Set(traceback)).toEqual(new Set(["0:13"]));
  });
});
