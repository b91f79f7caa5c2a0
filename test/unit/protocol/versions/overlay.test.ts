import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BUILT_IN_CONSTANTS } from "#protocol/versions/index.ts";
import { difference, overlay } from "#protocol/versions/overlay.ts";
import { VERSION_FILES } from "#protocol/versions/data/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { versionChange } from "../../../../scripts/constants-lib/version-change.ts";

/** JSON without null, which marks a removed member. */
const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.integer(),
    fc.string(),
    fc.boolean(),
    fc.array(fc.integer(), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("value"), { maxKeys: 4 }),
})).object;

describe("difference and overlay", () => {
  test("the difference applied to the old document yields the new one", () => {
    assertProperty(
      fc.property(document, document, (from, to) => {
        expect(overlay(from, difference(from, to))).toEqual(to);
      }),
    );
  });

  test("the difference of equal documents is empty", () => {
    assertProperty(
      fc.property(document, (value) => {
        expect(difference(value, value)).toEqual({});
      }),
    );
  });
});

describe("constants file of", () => {
  const { versions } = BUILT_IN_CONSTANTS;
  for (const [i, version] of versions.entries()) {
    const older = versions[i - 1];
    if (older === undefined) continue;
    test(`${version} contains exactly its changes`, () => {
      const file = VERSION_FILES.find((entry) => entry.version === version);
      const change = versionChange(BUILT_IN_CONSTANTS.at(older), BUILT_IN_CONSTANTS.at(version));
      expect(JSON.parse(JSON.stringify(change, bigintAsNumber))).toEqual(file?.constants);
    });
  }
});

function bigintAsNumber(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
