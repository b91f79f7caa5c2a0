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

/** A compiler that refuses what it finds in a source. */
const refusing =
  (...texts: readonly string[]) =>
  (source: string): boolean =>
    !texts.some((text) => source.includes(text));

describe("bisection of a contract that does not compile", () => {
  test("sees the functions that have a body", () => {
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

  test("names none of a source that compiles", () => {
    expect(bisect(SOURCE, refusing("nothing"))).toEqual({ outsideOfFunctions: false, failing: [] });
  });

  test("tells when no function is to blame", () => {
    expect(bisect(SOURCE, refusing("trait T")).outsideOfFunctions).toBe(true);
  });
});
