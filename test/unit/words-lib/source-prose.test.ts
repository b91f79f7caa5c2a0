import { describe, expect, test } from "bun:test";
import { sourceProse } from "../../../scripts/words-lib/source-prose.ts";

/** Texts of a source's prose, each on one line and without blanks around it. */
const textsOf = (source: string): readonly string[] =>
  sourceProse(source).map(({ text }) => text.replace(/\s+/g, " ").trim());

describe("sourceProse", () => {
  test("returns docblocks without their delimiters and asterisks", () => {
    expect(textsOf("/**\n * One\n * two.\n */\na;")).toEqual(["One two."]);
  });

  test("joins line comments of adjacent lines into one text", () => {
    expect(textsOf("// One\n  // two.\n\n// Three.\na; // Four.")).toEqual([
      "One two.",
      "Three.",
      "Four.",
    ]);
  });

  test("keeps the position of each text", () => {
    const source = 'a;\n/** One. */\ntest("two", b);';
    for (const { start, text } of sourceProse(source)) {
      const word = text.trim().replace(".", "");
      expect(source.slice(start + text.indexOf(word)).startsWith(word)).toBe(true);
    }
  });

  test("replaces inline code and links", () => {
    expect(textsOf("// One `is told` {@link told} two")[0]).not.toContain("told");
  });

  test.each([
    'test("name", a);',
    'describe("name", a);',
    'it("name", a);',
    'sharedTest("name", a);',
    'testBadParams("name", a);',
    'test.skipIf(a(")"))("name", b);',
    'test.each([\n  ["a)", 1],\n])("name", b);',
    'test.each<readonly [string, (a: number) => void]>([["a", b]])("name", c);',
    'describe.each(a)(\n  "name",\n  b,\n);',
    "test(`name`, a);",
  ])("returns the name of the test in %p", (source) => {
    expect(textsOf(source)).toEqual(["name"]);
  });

  test("returns every chunk of a templated name", () => {
    expect(textsOf('test(`one ${a("two")} three`, b);')).toEqual(["one", "three"]);
  });

  test.each([
    'expect("name");',
    'attest.test("name");',
    'it.ask("name");',
    'test(a, "name");',
    'test.each(["name"])(a, b);',
    'run("name", { summary: a });',
  ])("ignores the string of %p", (source) => {
    expect(textsOf(source)).toEqual([]);
  });

  test.each([
    'a({ flag: "b", summary: "help" });',
    'a({ flag: "b", summary: `help` });',
    'a = {\n  description:\n    "help",\n  flag: "b",\n};',
    'a = { help: isB ? "help" : c };',
  ])("returns the help text of %p", (source) => {
    expect(textsOf(source)).toEqual(["help"]);
  });

  test("returns every part of a concatenated help text", () => {
    expect(textsOf('a({ summary: "one, " + "two", flag: "three" });')).toEqual(["one,", "two"]);
  });
});
