import { describe, expect, test } from "bun:test";
import { compileClass, CompileError } from "#engine/sierra/index.ts";
import type { SierraClass } from "#protocol/chain/index.ts";
import { classUnfit } from "#services/admission/compile/class-size.ts";
import { MAX_BYTECODE_FELTS } from "#services/admission/compile/compile-limits.ts";
import {
  BOUNDED_CLASSES,
  DEEP_CLASS,
  LARGEST_CLASS,
  SLOWEST_CLASS,
  SLOWLY_REFUSED_CLASS,
} from "#test/helpers/hostile-classes.ts";
import { copiedConstants } from "#test/helpers/hostile-classes/declarations.ts";
import { bySize } from "#test/helpers/test-size.ts";

const LIMITS = { maxBytecodeSize: MAX_BYTECODE_FELTS };

/** Held classes that are not compiled here take seconds to build. */
const HELD = bySize({
  quick: [DEEP_CLASS],
  full: [SLOWEST_CLASS, LARGEST_CLASS, SLOWLY_REFUSED_CLASS, DEEP_CLASS],
});

/** Smaller form of {@link copiedConstants} that costs too much, too. */
const copiedSeldom = (): SierraClass => copiedConstants(10_000, 20_000);

/** The bounded classes, in quick mode with a smaller form of the one that takes longest. */
const BOUNDED = BOUNDED_CLASSES.map((bounded) =>
  bounded.build === copiedConstants
    ? { ...bounded, build: bySize({ quick: copiedSeldom, full: copiedConstants }) }
    : bounded,
);

/** Classes that are built twice and compared, which takes seconds for the large ones. */
const COMPARED = new Set(
  bySize({ quick: BOUNDED.slice(-1), full: [...HELD, ...BOUNDED] }).map(({ build }) => build),
);

const builds = new Map<() => SierraClass, SierraClass>();

/** Builds a class once for all tests. */
function builtOnce(build: () => SierraClass): SierraClass {
  const built = builds.get(build) ?? build();
  builds.set(build, built);
  return built;
}

function thrownBy(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

describe("hostile classes are reproducible and within the limits of declarations", () => {
  test.each([...HELD, ...BOUNDED])("$name", ({ build }) => {
    const built = builtOnce(build);
    expect(classUnfit(built)).toBeUndefined();
    if (COMPARED.has(build)) expect(Bun.deepEquals(build(), built)).toBe(true);
  });
});

describe("compileClass rejects classes that would take too much time or memory", () => {
  test.each(BOUNDED)("$name", ({ build, refusal }) => {
    const built = builtOnce(build);
    const error = thrownBy(() => compileClass(built, LIMITS));
    expect(error).toBeInstanceOf(CompileError);
    expect(String(error)).toContain(refusal);
  });
});

test("compileClass compiles deep nesting without recursion", () => {
  expect(compileClass(builtOnce(DEEP_CLASS.build), LIMITS).bytecode).toHaveLength(24_001);
});
