import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  JsonLater,
  JsonList,
  JsonPieces,
  type JsonSource,
  type JsonValue,
  stringifyJson,
} from "#base/codec/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

function textOf(source: JsonSource): string {
  return [...new JsonPieces(source).pieces()].join("");
}

/** The same document, with lists and members generated while writing. */
function madeLate(value: JsonValue, groupLength: number): JsonSource {
  if (Array.isArray(value)) {
    const elements = (value as readonly JsonValue[]).map((each) => madeLate(each, groupLength));
    return new JsonList(function* () {
      for (let at = 0; at < elements.length; at += groupLength) {
        yield elements.slice(at, at + groupLength);
        yield [];
      }
    });
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(
    ([name, member]) =>
      [name, member && new JsonLater(() => madeLate(member, groupLength))] as const,
  );
  return Object.fromEntries(members) as JsonSource;
}

describe("JsonPieces", () => {
  test("yields the text of the document", () => {
    assertProperty(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 4 }), (document, groupLength) => {
        const value = document as JsonValue;
        expect(textOf(madeLate(value, groupLength))).toBe(stringifyJson(value));
      }),
      { numRuns: 3_000 },
    );
  });

  test("keeps all digits of integers and omits undefined members", () => {
    const list = new JsonList(() => [[2n ** 64n, 1], ["a"]]);
    expect(textOf({ a: list, b: undefined, c: 2n ** 70n })).toBe(
      '{"a":[18446744073709551616,1,"a"],"c":1180591620717411303424}',
    );
  });

  test("yields pieces of bounded length, generated on demand", () => {
    let made = 0;
    const source = new JsonList(function* () {
      for (; made < 100_000; made++) yield ["0x123456789"];
    });
    const pieces = new JsonPieces(source).pieces();
    expect(made).toBe(0);
    const { value: first } = pieces.next() as { value: string };
    expect(first.length).toBeGreaterThan(60_000);
    expect(first.length).toBeLessThan(70_000);
    expect(made).toBeLessThan(6_000);
    const rest = [...pieces];
    expect(Math.max(...rest.map(({ length }) => length))).toBeLessThan(70_000);
    expect(JSON.parse(first + rest.join(""))).toHaveLength(100_000);
  });

  test("rethrows an error of a generator", () => {
    const source = {
      list: new JsonList(function* () {
        yield [1];
        throw new RangeError("no more");
      }),
    };
    expect(() => textOf(source)).toThrow("no more");
  });
});
