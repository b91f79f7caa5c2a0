import { describe, expect, test } from "bun:test";
import { type Counts, differences } from "../../../scripts/words-lib/allowed.ts";
import { hitsIn } from "../../../scripts/words-lib/hits.ts";
import {
  countsOf,
  differenceLines,
  hitLine,
  type HitsByFile,
  moveHint,
  totalLine,
} from "../../../scripts/words-lib/report.ts";

const hits: HitsByFile = new Map(
  Object.entries({ "a.ts": "anew\nat once\nfor good", "b.ts": "beside" }).map(([path, text]) => [
    path,
    hitsIn(text, [{ start: 0, text }]),
  ]),
);
const counts: Counts = { never: { "a.ts": 2 }, doubtful: { "a.ts": 1, "b.ts": 1 } };

test("countsOf counts hits by class and file, without zeros", () => {
  expect(countsOf(hits)).toEqual(counts);
});

test("hitLine names the place, the words and what to write", () => {
  const [hit] = hits.get("a.ts") ?? [];
  expect(hit && hitLine("a.ts", hit)).toBe(
    'a.ts:1: "anew" (never): write "again", "from the start"',
  );
});

test("totalLine has both classes", () => {
  expect(totalLine(counts)).toBe("hits: 2 never, 2 doubtful");
});

describe("differenceLines", () => {
  test("lists the hits of a file that has more than allowed", () => {
    const allowed = { ...counts, never: { "a.ts": 1 } };
    const lines = differenceLines(differences(counts, allowed), hits);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe("a.ts: 2 never hits, 1 allowed:");
    expect(lines[2]).toStartWith('  a.ts:3: "for good" (never): write');
  });

  test("names the command for a file that has fewer", () => {
    const allowed = { ...counts, doubtful: { "a.ts": 1, "b.ts": 2 } };
    expect(differenceLines(differences(counts, allowed), hits)).toEqual([
      "b.ts: 1 doubtful hits, 2 allowed: run ./scripts/words --shrink",
    ]);
  });
});

describe("moveHint", () => {
  const hintFor = (allowed: Counts): string =>
    moveHint(differences(counts, allowed), counts, allowed);

  test("names --adopt when a new file has hits and the total has not risen", () => {
    expect(hintFor({ ...counts, never: { "old/a.ts": 2 } })).toContain("--adopt");
  });

  test("is empty when the total has risen", () => {
    expect(hintFor({ ...counts, never: { "old/a.ts": 1 } })).toBe("");
  });

  test("is empty when no new file has hits", () => {
    expect(hintFor({ ...counts, never: { "a.ts": 3 } })).toBe("");
  });
});
