import { describe, expect, test } from "bun:test";
import { ansiLines } from "../../../scripts/screenshot-lib/ansi.ts";

const PLAIN = { colour: "default", bold: false, dim: false } as const;

describe("the reader of terminal output", () => {
  test("splits lines, and drops carriage returns and the last line end", () => {
    expect(ansiLines("a\r\n\r\nb\r\n")).toEqual([
      [{ ...PLAIN, text: "a" }],
      [],
      [{ ...PLAIN, text: "b" }],
    ]);
  });

  test("applies bold, dim and colours until they are switched off", () => {
    expect(
      ansiLines("\u001b[1m\u001b[32mgo\u001b[39m!\u001b[22m \u001b[2;36mx\u001b[0my\u001b[91mz"),
    ).toEqual([
      [
        { ...PLAIN, bold: true, colour: "green", text: "go" },
        { ...PLAIN, bold: true, text: "!" },
        { ...PLAIN, text: " " },
        { dim: true, bold: false, colour: "cyan", text: "x" },
        { ...PLAIN, text: "y" },
        { ...PLAIN, colour: "red", text: "z" },
      ],
    ]);
  });

  test("keeps a style beyond the end of a line", () => {
    expect(ansiLines("\u001b[33ma\nb").at(1)).toEqual([{ ...PLAIN, colour: "yellow", text: "b" }]);
  });

  test("drops other sequences and unknown styles", () => {
    expect(ansiLines("\u001b[2Ka\u001b[4mb\u001b[m")).toEqual([
      [
        { ...PLAIN, text: "a" },
        { ...PLAIN, text: "b" },
      ],
    ]);
  });
});
