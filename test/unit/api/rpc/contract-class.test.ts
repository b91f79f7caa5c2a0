import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { memberText } from "#api/rpc/spec/v0_10/contract-class.ts";

describe("memberText", () => {
  test("returns the text of the member, whitespace included", () => {
    expect(memberText('{"a": [1, 2], "b" : {"a": "}"} }', "b")).toBe('{"a": "}"}');
  });

  test("reads members of the outermost object only", () => {
    expect(memberText('{"x": {"b": 1}, "b": 2}', "b")).toBe("2");
  });

  test("ignores values that equal the name", () => {
    expect(memberText('{"x": "b", "b": 2}', "b")).toBe("2");
  });

  test("is `undefined` for a missing member", () => {
    expect(memberText('{"x": "b"}', "b")).toBeUndefined();
  });

  test("parses to the member of any object", () => {
    assertProperty(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (others, member) => {
        const { program: _, ...rest } = others;
        const text = memberText(JSON.stringify({ ...rest, program: member }), "program");
        expect(text).toBe(JSON.stringify(member));
      }),
    );
  });
});
