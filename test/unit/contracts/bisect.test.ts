import { describe, expect, test } from "bun:test";
import { bisect, functionBodies } from "../../../scripts/contracts-lib/bisect.ts";

const SOURCE = `
// fn commented(x: u8) { }
trait T { fn declared(x: u8); }
mod m {
    fn first(x: u8) -> u8 { if x == 1 { GOOD } else { 'fn quoted() {' } }
    fn second() { BAD_ONE }
    fn third() { GOOD }
    fn fourth() { loop { BAD_TWO } }
}
`;

/** Compiler that rejects sources containing one of the texts. */
const refusing =
  (...texts: readonly string[]) =>
  (source: string): boolean =>
    !texts.some((text) => source.includes(text));

describe("bisect", () => {
  test("functionBodies finds the functions that have a body", () => {
    expect(functionBodies(SOURCE).map(({ name, line }) => [name, line])).toEqual([
      ["first", 5],
      ["second", 6],
      ["third", 7],
      ["fourth", 8],
    ]);
  });

  test("names every function that fails", () => {
    const { failing } = bisect(SOURCE, refusing("BAD_ONE", "BAD_TWO"));
    expect(failing.map(({ name }) => name)).toEqual(["second", "fourth"]);
  });

  test("reports no function of a source that compiles", () => {
    expect(bisect(SOURCE, refusing("nothing"))).toEqual({ outsideOfFunctions: false, failing: [] });
  });

  test("reports an error outside of functions", () => {
    expect(bisect(SOURCE, refusing("trait T")).outsideOfFunctions).toBe(true);
  });
});
