import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { memberText } from "#api/rpc/spec/v0_10/contract-class.ts";

describe("the text of a member", () => {
  test("is what stands in the object, with its spaces", () => {
    expect(memberText('{"a": [1, 2], "b" : {"a": "}"} }', "b")).toBe('{"a": "}"}');
  });

  test("is taken from the outermost object only", () => {
    expect(memberText('{"x": {"b": 1}, "b": 2}', "b")).toBe("2");
  });

  test("is not a value of the same text", () => {
    expect(memberText('{"x": "b", "b": 2}', "b")).toBe("2");
  });

  test("is nothing when there is no such member", () => {
    expect(memberText('{"x": "b"}', "b")).toBeUndefined();
  });

  test("parses to the member for any object", () => {
    assertProperty(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (others, member) => {
        const { program: _, ...rest } = others;
        const text = memberText(JSON.stringify({ ...rest, program: member }), "program");
        expect(text).toBe(JSON.stringify(member));
      }),
    );
  });
});
