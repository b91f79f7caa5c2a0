import { describe, expect, test } from "bun:test";
import { codeOf } from "../../../scripts/words-lib/code-view.ts";
import { type Token, tokensOf } from "../../../scripts/words-lib/tokens.ts";

/** Kind and text of each token. */
const textsOf = (source: string): readonly (readonly [Token["kind"], string])[] =>
  tokensOf(source).map(({ kind, start, end }) => [kind, source.slice(start, end)]);

describe("tokensOf", () => {
  test("finds line comments and block comments", () => {
    expect(textsOf("a; // b\n/** c\n */ d; /* e */")).toEqual([
      ["comment", "// b"],
      ["comment", "/** c\n */"],
      ["comment", "/* e */"],
    ]);
  });

  test("reads comment signs within strings as text", () => {
    expect(textsOf("a = \"b // c\"; d = '/* e'; // f")).toEqual([
      ["string", '"b // c"'],
      ["string", "'/* e'"],
      ["comment", "// f"],
    ]);
  });

  test("reads escaped quotes as part of the string", () => {
    expect(textsOf(String.raw`a = "b \" // c \\"; // d`)).toEqual([
      ["string", String.raw`"b \" // c \\"`],
      ["comment", "// d"],
    ]);
  });

  test("splits templates into chunks and scans their substitutions", () => {
    expect(textsOf('`a // ${b({ c: "}" }) /* d */ + `e ${f}`} g`; // h')).toEqual([
      ["template", "a // "],
      ["string", '"}"'],
      ["comment", "/* d */"],
      ["template", "e "],
      ["template", ""],
      ["template", " g"],
      ["comment", "// h"],
    ]);
  });

  test("reads an escaped backtick and an escaped substitution as part of the chunk", () => {
    expect(textsOf("a = `b \\` \\${ c`; // d")).toEqual([
      ["template", "b \\` \\${ c"],
      ["comment", "// d"],
    ]);
  });

  test.each([
    ["a = /[/\"'`]/g; // b", "/[/\"'`]/"],
    [String.raw`if (/\/\//.test(a)) b; // b`, String.raw`/\/\//`],
    ["return /'/; // b", "/'/"],
    ["a = /* c */ /'/; // b", "/'/"],
  ])("finds the regular expression of %p", (source, expression) => {
    const tokens = textsOf(source).filter(([, text]) => text !== "/* c */");
    expect(tokens).toEqual([
      ["regexp", expression],
      ["comment", "// b"],
    ]);
  });

  test.each(["a / b / c; // d", "(a) / b / c; // d", 'a[0] / "b".length / c; // d'])(
    "reads the slashes of %p as divisions",
    (source) => {
      expect(textsOf(source).filter(([kind]) => kind !== "string")).toEqual([["comment", "// d"]]);
    },
  );

  test.each(['"a', "`a ${b", "/* a", "`a ${b} c", "a = /b"])(
    "stops at the end of %p, which is not closed",
    (source) => {
      expect(tokensOf(source).at(-1)?.end).toBeLessThanOrEqual(source.length);
    },
  );
});

describe("codeOf", () => {
  test("blanks text and comments and keeps positions", () => {
    const source = 'a("b"); // c\nd = `e ${f} g`; h = /i/;';
    expect(codeOf(source, tokensOf(source))).toBe('a(" ");     \nd = `  ${f}  `; h =    ;');
  });
});
