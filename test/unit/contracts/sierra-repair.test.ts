import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { compressFelts, decompressFelts } from "../../../scripts/contracts-lib/felt-compression.ts";
import { repairSierraProgram } from "../../../scripts/contracts-lib/sierra-repair.ts";
import { fixtureTest, readFixtureJson } from "../../helpers/shared.ts";

const sharedTest = fixtureTest("classes/cairo-compiler");

const WORD32_MAX = 0xffffffffn;
const WORD64_MAX = 0xffffffffffffffffn;
const CLASSES = ["account__account", "erc20__erc_20", "libfuncs_coverage__libfuncs_coverage"];

function publicProgram(name: string): bigint[] {
  const file = `${name}.contract_class.json`;
  const { sierra_program: felts } = readFixtureJson("classes", "cairo-compiler", file) as {
    readonly sierra_program: readonly string[];
  };
  return felts.map(BigInt);
}

describe("felt compression", () => {
  test("decompression restores the compressed felts", () => {
    const felt = fc.oneof(fc.bigInt(0n, 2n ** 251n), fc.bigInt(0n, 400n));
    assertProperty(
      fc.property(fc.array(felt, { maxLength: 1500 }), (felts) => {
        expect(decompressFelts(compressFelts(felts))).toEqual(felts);
      }),
      { numRuns: 30 },
    );
  });

  for (const name of CLASSES) {
    sharedTest(`compresses ${name} like the public compiler`, () => {
      const packed = publicProgram(name).slice(6);
      expect(compressFelts(decompressFelts(packed))).toEqual(packed);
    });
  }

  test("rejects a code book whose size is not a power of two", () => {
    expect(() => decompressFelts([1n, 256n, 5n, 0n])).toThrow(RangeError);
  });

  test("rejects missing felts", () => {
    expect(() => decompressFelts(compressFelts([1n, 2n, 3n]).slice(0, -1))).toThrow(RangeError);
  });
});

describe("repairSierraProgram", () => {
  // One type; one libfunc whose argument is the value 2^32 - 1; a statement that falls through,
  // one that jumps, a return of the variable 2^32 - 1; one function.
  const body = (fallThrough: bigint): bigint[] =>
    [
      [1n, 0x66656c74n, 0n],
      [1n, 0x636f6e7374n, 1n, 2n, WORD32_MAX],
      [3n],
      [0n, 0n, 0n, 1n, fallThrough, 1n, 7n],
      [0n, 0n, 1n, 7n, 1n, 2n, 0n],
      [1n, 1n, WORD32_MAX],
      [1n, 1n, 0n, 1n, 0n, 3n, 0n],
    ].flat();
  const program = (minor: bigint, felts: readonly bigint[]): bigint[] =>
    [1n, minor, 0n, 2n, 8n, 2n].concat(compressFelts(felts));

  test("changes only branch targets and version of a 32-bit build", () => {
    const repaired = repairSierraProgram(program(6n, body(WORD32_MAX)));
    expect(repaired.slice(0, 6)).toEqual([1n, 7n, 0n, 2n, 8n, 2n]);
    expect(decompressFelts(repaired.slice(6))).toEqual(body(WORD64_MAX));
  });

  test("keeps a program of a 64-bit build", () => {
    const good = program(7n, body(WORD64_MAX));
    expect(repairSierraProgram(good)).toEqual(good);
  });

  test("rejects felts after the last function", () => {
    expect(() => repairSierraProgram(program(6n, [...body(WORD32_MAX), 0n]))).toThrow(RangeError);
  });

  test("rejects other Sierra versions", () => {
    expect(() => repairSierraProgram(program(5n, body(WORD32_MAX)))).toThrow(RangeError);
  });
});
