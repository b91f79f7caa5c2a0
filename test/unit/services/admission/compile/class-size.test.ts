import { describe, expect, test } from "bun:test";
import { CLASS_SIZE_LIMITS } from "#services/admission/compile/compile-limits.ts";
import { classTooLarge, classUnfit, unpackWithin } from "#services/admission/compile/class-size.ts";
import { classOf } from "#test/helpers/fake-compiler.ts";
import { type PackedParts, packedClass } from "#test/helpers/packed-class.ts";

const CODE = "CONTRACT_CLASS_SIZE_IS_TOO_LARGE";

describe("the size of a class", () => {
  test("may have the maximum number of felts, but not one more", () => {
    expect(classTooLarge(classOf(7n, 81_920), CLASS_SIZE_LIMITS)).toBeUndefined();
    expect(classTooLarge(classOf(7n, 81_921), CLASS_SIZE_LIMITS)).toEqual({
      code: CODE,
      reason: "the Sierra program has 81921 felts, at most 81920 are allowed",
    });
  });

  test("counts the bytes of the object as JSON text, exactly up to the limit", () => {
    const text =
      '{"sierra_program":["0x7"],"contract_class_version":"0.1.0","entry_points_by_type":{"CONSTRUCTOR":[],"EXTERNAL":[],"L1_HANDLER":[]},"abi":""}';
    const within = { ...CLASS_SIZE_LIMITS, maxObjectBytes: text.length };
    expect(classTooLarge(classOf(7n), within)).toBeUndefined();
    expect(classTooLarge(classOf(7n), { ...within, maxObjectBytes: text.length - 1 })).toEqual({
      code: CODE,
      reason: `the class has ${text.length} bytes as JSON, at most ${text.length - 1} are allowed`,
    });
  });

  test("counts the UTF-8 bytes of multi-byte characters", () => {
    const limits = { ...CLASS_SIZE_LIMITS, maxObjectBytes: 150 };
    const abi = "x".repeat(10);
    expect(classTooLarge({ ...classOf(7n), abi }, limits)).toBeUndefined();
    const longer = { ...classOf(7n), abi: "\u00e9".repeat(10) };
    expect(classTooLarge(longer, limits)?.code).toBe(CODE);
  });

  test("exceeds the limit by the ABI alone", () => {
    const limits = { ...CLASS_SIZE_LIMITS, maxObjectBytes: 200 };
    expect(classTooLarge({ ...classOf(7n), abi: "x".repeat(201) }, limits)).toEqual({
      code: CODE,
      reason: "the class has more than 201 bytes as JSON, at most 200 are allowed",
    });
  });
});

describe("a class is rejected before compilation", () => {
  test("if its contract class version is not 0.1.0", () => {
    expect(classUnfit(classOf(7n))).toBeUndefined();
    expect(classUnfit({ ...classOf(7n), contractClassVersion: "0.1.1" })).toEqual({
      code: "UNSUPPORTED_CONTRACT_CLASS_VERSION",
      reason: "contract_class_version is 0.1.1, expected 0.1.0",
    });
  });

  test("if it exceeds Starknet's size limits", () => {
    expect(classUnfit(classOf(7n, 81_921))?.code).toBe(CODE);
    const abi = "x".repeat(4_089_446);
    expect(classUnfit({ ...classOf(7n), abi })?.code).toBe(CODE);
  });
});

describe("the size of a Cairo 0 class", () => {
  const refusalOf = (parts: PackedParts): unknown => {
    const outcome = unpackWithin(packedClass(parts), CLASS_SIZE_LIMITS);
    return "code" in outcome ? outcome : outcome.contractClass.json.length;
  };

  test.each<readonly [string, PackedParts]>([
    ["felts of its program", { felts: 81_920, objectBytes: 1_000_000 }],
    ["bytes", { felts: 1, objectBytes: 4_089_446 }],
    ["entry points", { felts: 1, entryPoints: 10_000, objectBytes: 1_000_000 }],
  ])("may be the maximum number of %s", (_, parts) => {
    expect(refusalOf(parts)).toBe(parts.objectBytes);
  });

  test.each<readonly [string, PackedParts]>([
    ["the program has 81921 felts, at most 81920 are allowed", { felts: 81_921 }],
    [
      "the class has more than 4089446 bytes as JSON, at most 4089446 are allowed",
      { felts: 1, objectBytes: 4_089_447 },
    ],
    [
      "the class has 10001 entry points, at most 10000 are allowed",
      { felts: 1, entryPoints: 10_001 },
    ],
  ])("is rejected one above the maximum: %s", (reason, parts) => {
    expect(refusalOf(parts)).toEqual({ code: CODE, reason });
  });

  test("counts the bytes of the unpacked fields and of the packed program", () => {
    const fits = packedClass({ felts: 1, objectBytes: 4_089_446 });
    for (const changed of [
      { ...fits, abi: "[ ]" },
      { ...fits, abi: '"\u00e9"' },
      { ...fits, entryPoints: `${fits.entryPoints} ` },
      { ...fits, abi: `"${"x".repeat(5_000_000)}"` },
      { ...fits, program: "A".repeat(4_089_447) },
    ]) {
      expect(unpackWithin(changed, CLASS_SIZE_LIMITS)).toMatchObject({ code: CODE });
    }
  });
});
