import { expect, test } from "bun:test";
import { hashThreadCount } from "#app/node/setup/hash-threads.ts";

test("the committer gets helpers on more than two cores", () => {
  expect([1, 2, 3, 4, 5, 8, 64].map(hashThreadCount)).toEqual([0, 0, 1, 2, 3, 3, 3]);
});
