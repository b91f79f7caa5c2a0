import { describe, expect, test } from "bun:test";
import { compileClass, CompileError } from "#engine/sierra/index.ts";
import { classUnfit } from "#services/admission/compile/class-size.ts";
import { MAX_BYTECODE_FELTS } from "#services/admission/compile/compile-limits.ts";
import {
  BOUNDED_CLASSES,
  DEEP_CLASS,
  LARGEST_CLASS,
  SLOWEST_CLASS,
  SLOWLY_REFUSED_CLASS,
} from "#test/helpers/hostile-classes.ts";

const LIMITS = { maxBytecodeSize: MAX_BYTECODE_FELTS };

function thrownBy(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

describe("hostile classes are within the limits of declares, and always the same", () => {
  test.each([
    ...[SLOWEST_CLASS, LARGEST_CLASS, SLOWLY_REFUSED_CLASS, DEEP_CLASS],
    ...BOUNDED_CLASSES,
  ])("$name", ({ build }) => {
    const built = build();
    expect(classUnfit(built)).toBeUndefined();
    expect(Bun.deepEquals(build(), built)).toBe(true);
  });
});

describe("what takes too long or too much memory is refused before", () => {
  test.each(BOUNDED_CLASSES)("$name", ({ build, refusal }) => {
    const built = build();
    const error = thrownBy(() => compileClass(built, LIMITS));
    expect(error).toBeInstanceOf(CompileError);
    expect(String(error)).toContain(refusal);
  });
});

test("what is deep is compiled without recursion", () => {
  expect(compileClass(DEEP_CLASS.build(), LIMITS).bytecode).toHaveLength(24_001);
});
