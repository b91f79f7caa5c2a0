import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { cacheEntry } from "#test/helpers/cache-entry.ts";
import { isFullSize } from "#test/helpers/test-size.ts";

test.skipIf(isFullSize)("cacheEntry returns what was stored for the same inputs only", () => {
  const id = randomUUID();
  const entry = cacheEntry<{ readonly a: number }>([id, "b"]);
  expect(entry.read()).toBeUndefined();
  entry.write({ a: 1 });
  expect(cacheEntry([id, "b"]).read()).toEqual({ a: 1 });
  expect(cacheEntry([`${id}b`, ""]).read()).toBeUndefined();
  expect(cacheEntry([id]).read()).toBeUndefined();
  entry.remove();
  expect(entry.read()).toBeUndefined();
});
