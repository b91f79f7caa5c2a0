import { describe, expect, test } from "bun:test";
import { compileClass, decodeProgram } from "#engine/sierra/index.ts";
import { unpackWords } from "#engine/sierra/contract/unpack.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { createRandom } from "#test/helpers/random.ts";
import { classOfParts, classParts } from "#test/helpers/sierra/fuzz/class-parts.ts";
import { joinedClass } from "#test/helpers/sierra/fuzz/joined-class.ts";
import { ClassMaker, WAYS } from "#test/helpers/sierra/fuzz/made-up-class.ts";
import { FUZZ_LIMITS } from "#test/helpers/sierra/fuzz/outcome.ts";
import { programToWords } from "#test/helpers/sierra/fuzz/program-felts.ts";
import { fixtureSources } from "#test/helpers/sierra/fuzz/sources.ts";

const sources = fixtureSources(1100);
const SEEDS = [...Array.from({ length: bySize({ quick: 8, full: 20 }) }).keys()];

test("programToWords writes the words that the program was read from", () => {
  for (const { original } of sources) {
    const words = unpackWords(original.sierraProgram.slice(6));
    const written = programToWords(classParts(original).program);
    expect(written).toEqual(words.slice(0, written.length));
  }
});

describe("ClassMaker", () => {
  test.each(WAYS)(
    "makes the same %s class for the same seed, and different ones for other seeds",
    (way) => {
      const [one, two] = [new ClassMaker(sources), new ClassMaker(sources)];
      const made = SEEDS.map((seed) => one.make(way, seed));
      // In reverse order: a class must not depend on the ones made before it.
      const again = SEEDS.toReversed().map((seed) => two.make(way, seed));
      expect(again.reverse()).toEqual(made);
      const programs = new Set(made.map(({ sierraClass }) => sierraClass.sierraProgram.join()));
      expect(programs.size).toBeGreaterThan(SEEDS.length / 2);
    },
  );

  test.each(["recombined", "joined", "changed"] as const)("makes %s classes that decode", (way) => {
    const maker = new ClassMaker(sources);
    for (const seed of SEEDS) {
      const { sierraProgram } = maker.make(way, seed).sierraClass;
      // A change may have set any Sierra version: set a supported one.
      expect(() => decodeProgram(sierraProgram.with(1, 9n))).not.toThrow();
    }
  });
});

test("joinedClass compiles to the code of both classes and declares shared types once", () => {
  const [one, two] = sources.slice(-2).map(({ original }) => classParts(original));
  if (one === undefined || two === undefined) throw new RangeError("two classes are there");
  const joined = joinedClass(one, two, createRandom(1));
  expect(joined.program.functions).toHaveLength(
    one.program.functions.length + two.program.functions.length,
  );
  expect(joined.program.types.length).toBeLessThan(
    one.program.types.length + two.program.types.length,
  );
  const entryPoints = Object.values(joined.entryPoints).flat().length;
  const expected = [one, two].flatMap((each) => Object.values(each.entryPoints).flat());
  expect(entryPoints).toBe(expected.length);
  const size = (parts: typeof one): number =>
    compileClass(classOfParts(parts), FUZZ_LIMITS).bytecode.length;
  expect(size(joined)).toBe(size(one) + size(two));
});
