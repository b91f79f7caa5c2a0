import { describe, expect } from "bun:test";
import { readFileSync } from "node:fs";
import {
  casmClassFromJson,
  compiledClassHash,
  type SierraClass,
  sierraClassFromJson,
} from "#protocol/chain/index.ts";
import { compileClass } from "#engine/sierra/contract/compile-class.ts";
import { fixturePath, readFixtureJson, SHARED, sharedTest } from "#test/helpers/shared.ts";
import { bySize } from "#test/helpers/test-size.ts";

interface Golden {
  readonly id: string;
  readonly sierra: string;
  readonly source: string;
  readonly poseidon: string;
  readonly blake: string;
}

const goldens =
  SHARED === undefined ? [] : (readFixtureJson("casm-golden", "index.json") as readonly Golden[]);

/** Quick size covers some classes of each Sierra version: every eighth, and the first of each. */
const selected = goldens.filter(
  ({ sierra }, index) =>
    index % bySize({ quick: 8, full: 1 }) === 0 ||
    goldens.findIndex((other) => other.sierra === sierra) === index,
);

const textOf = (id: string, kind: "sierra" | "casm"): string =>
  readFileSync(fixturePath("casm-golden", `${id}.${kind}.json`), "utf8");

/** The golden classes exceed the size limits of a network. */
const LIMITS = { maxBytecodeSize: Number.MAX_SAFE_INTEGER };

describe("compileClass produces the reference compiler's code", () => {
  for (const { id, sierra, source, poseidon, blake } of selected) {
    sharedTest(`${id}: Sierra ${sierra}, ${source}`, () => {
      const compiled = compileClass(
        sierraClassFromJson(textOf(id, "sierra")) as SierraClass,
        LIMITS,
      );
      const expected = casmClassFromJson(textOf(id, "casm"));
      expect(compiled.bytecode.length).toBe(expected.bytecode.length);
      expect(firstDifference(compiled.bytecode, expected.bytecode)).toBeUndefined();
      expect(compiled.entryPoints).toEqual(expected.entryPoints);
      expect(compiled.bytecodeSegmentLengths).toEqual(expected.bytecodeSegmentLengths);
      expect([...compiled.hints]).toEqual([...expected.hints]);
      expect(compiledClassHash(compiled, "poseidon")).toBe(BigInt(poseidon));
      expect(compiledClassHash(compiled, "blake")).toBe(BigInt(blake));
    });
  }
});

/** First difference of two bytecodes; `undefined` if they are equal. */
function firstDifference(a: readonly bigint[], b: readonly bigint[]) {
  const at = a.findIndex((felt, i) => felt !== b[i]);
  return at < 0 ? undefined : { at, compiled: a[at]?.toString(16), expected: b[at]?.toString(16) };
}
