import { expect, test } from "bun:test";
import { parseJson } from "#base/codec/index.ts";
import { parsedBytes } from "#api/rpc/parsed-size.ts";

const sizeOf = (text: string): number => parsedBytes(parseJson(text));

test("parsedBytes counts a string with about its length", () => {
  const text = JSON.stringify("x".repeat(100_000));
  expect(sizeOf(text)).toBeWithin(100_000, 110_000);
});

test("parsedBytes counts short objects with many times their text", () => {
  expect(sizeOf(`[${"{},".repeat(1_000)}{}]`)).toBeGreaterThan(64_000);
});

test("parsedBytes counts object members and list elements", () => {
  expect(sizeOf(`[${"1,".repeat(1_000)}1]`)).toBeGreaterThan(8_000);
  expect(sizeOf('{"a":{"b":null}}')).toBeGreaterThan(2 * sizeOf("{}"));
});
