import { describe, expect, test } from "bun:test";
import {
  adopt,
  type Counts,
  differences,
  type FileCounts,
  formatAllowed,
  parseAllowed,
  shrink,
  total,
} from "../../../scripts/words-lib/allowed.ts";
import { DecodeError } from "#base/errors/index.ts";

const never = (counts: FileCounts): Counts => ({ never: counts, doubtful: {} });

describe("differences", () => {
  test("is empty when every file has its number of hits", () => {
    const counts = { never: { "a.ts": 1 }, doubtful: { "b.ts": 2 } };
    expect(differences(counts, counts)).toEqual([]);
  });

  test("names files with more hits, with fewer, and new ones", () => {
    const counts = never({ "less.ts": 1, "more.ts": 3, "new.ts": 1 });
    const allowed = never({ "gone.ts": 1, "less.ts": 2, "more.ts": 2 });
    const found = differences(counts, allowed);
    expect(found.map(({ path, hits, allowed: number }) => [path, hits, number])).toEqual([
      ["gone.ts", 0, 1],
      ["less.ts", 1, 2],
      ["more.ts", 3, 2],
      ["new.ts", 1, 0],
    ]);
  });

  test("does not offset one class against the other", () => {
    const counts = { never: { "a.ts": 1 }, doubtful: {} };
    const allowed = { never: {}, doubtful: { "a.ts": 1 } };
    expect(differences(counts, allowed).map(({ kind }) => kind)).toEqual(["never", "doubtful"]);
  });
});

describe("shrink", () => {
  test("lowers numbers, raises none, and drops clean and missing files", () => {
    const allowed = never({ "clean.ts": 1, "gone.ts": 4, "less.ts": 2, "more.ts": 2 });
    const counts = never({ "less.ts": 1, "more.ts": 3, "new.ts": 1 });
    expect(shrink(allowed, counts)).toEqual(never({ "less.ts": 1, "more.ts": 2 }));
  });
});

describe("adopt", () => {
  test("moves the number of a vanished file to a new file of the same base name", () => {
    const allowed = never({ "old/a.ts": 2, "b.ts": 1 });
    const counts = never({ "new/a.ts": 2, "b.ts": 1 });
    expect(adopt(allowed, counts, ["new/a.ts", "b.ts"])).toEqual(
      never({ "b.ts": 1, "new/a.ts": 2 }),
    );
  });

  test("gives no more than the vanished file had", () => {
    const counts = never({ "new/a.ts": 3 });
    expect(adopt(never({ "old/a.ts": 2 }), counts, ["new/a.ts"])).toEqual(never({ "new/a.ts": 2 }));
  });

  test("shares the number among several files of the base name", () => {
    const counts = never({ "x/a.ts": 2, "y/a.ts": 2 });
    const adopted = adopt(never({ "old/a.ts": 3 }), counts, ["x/a.ts", "y/a.ts"]);
    expect(adopted).toEqual(never({ "x/a.ts": 2, "y/a.ts": 1 }));
  });

  test("keeps the number of a file that still exists", () => {
    const counts = never({ "new/a.ts": 2 });
    const adopted = adopt(never({ "old/a.ts": 2 }), counts, ["new/a.ts", "old/a.ts"]);
    expect(adopted).toEqual(never({ "old/a.ts": 2 }));
  });

  test("gives nothing to files of other names", () => {
    expect(adopt(never({ "a.ts": 2 }), never({ "b.ts": 2 }), ["b.ts"])).toEqual(never({}));
  });
});

describe("the text of allowed.json", () => {
  test("has a sorted line per path, and reads back as the same counts", () => {
    const text = formatAllowed({ never: { "b.ts": 1, "a.ts": 2 }, doubtful: {} });
    expect(text).toBe(
      '{\n  "never": {\n    "a.ts": 2,\n    "b.ts": 1\n  },\n  "doubtful": {}\n}\n',
    );
    expect(formatAllowed(parseAllowed(text))).toBe(text);
  });

  test.each([
    "",
    "[]",
    "{}",
    '{"never":{}}',
    '{"never":{},"doubtful":{"a.ts":0}}',
    '{"never":{"a.ts":"1"},"doubtful":{}}',
  ])("is refused as %p", (text) => {
    expect(() => parseAllowed(text)).toThrow(DecodeError);
  });
});

test("total sums one class", () => {
  expect(total({ never: { a: 1, b: 2 }, doubtful: { a: 4 } }, "never")).toBe(3);
});
