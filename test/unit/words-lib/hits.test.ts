import { describe, expect, test } from "bun:test";
import { hitsIn } from "../../../scripts/words-lib/hits.ts";
import { PATTERNS } from "../../../scripts/words-lib/patterns.ts";

const wordsIn = (text: string): readonly string[] =>
  hitsIn(text, [{ start: 0, text }]).map(({ words }) => words);

describe("hitsIn", () => {
  test.each([
    ["The node is told first.", ["is told"]],
    ["WHOEVER calls", ["WHOEVER"]],
    ["it is\n   told", ["is told"]],
    ["what is said of it", ["what is said"]],
    ["there is none, and they are there", ["there is none", "are there"]],
    ["knows how far the sync of blocks is", ["how far the sync of blocks is"]],
    ["(at once)", ["at once"]],
    ["'at once'", ["at once"]],
  ])("finds the patterns of %p", (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  test.each([
    "this told",
    "is toldest",
    "a foretell",
    "besides",
    "understands",
    "dear-bought",
    "families",
    "is therefore",
    "is; told",
    "how far it went before the day on which it is",
  ])("finds whole words only, none in %p", (text) => {
    expect(wordsIn(text)).toEqual([]);
  });

  test("counts lines in the file, not in the text", () => {
    const file = "a\nb\n// is told\n// at\n// once\n";
    const start = file.indexOf("is");
    const text = file.slice(start).replaceAll("//", "  ");
    expect(hitsIn(file, [{ start, text }]).map(({ line }) => line)).toEqual([3, 4]);
  });

  test("sorts the hits of several texts by line", () => {
    const file = "anew\nwhoever";
    const texts = [
      { start: 5, text: "whoever" },
      { start: 0, text: "anew" },
    ];
    expect(hitsIn(file, texts).map(({ line }) => line)).toEqual([1, 2]);
  });
});

describe("PATTERNS", () => {
  test.each(PATTERNS.map(({ phrase }) => phrase))("%p matches its own words", (phrase) => {
    const words = phrase.replaceAll("...", "one two").replaceAll(/\/[\w/]+/g, "");
    expect(wordsIn(words)).toEqual([words]);
  });

  test("name a replacement each, and no phrase twice", () => {
    expect(PATTERNS.filter(({ write }) => write === "")).toEqual([]);
    expect(new Set(PATTERNS.map(({ phrase }) => phrase)).size).toBe(PATTERNS.length);
  });
});
