import { expect, test } from "bun:test";
import { isCompiled } from "#io/processes/index.ts";

test("the program is not compiled while it runs from its sources", () => {
  expect(isCompiled()).toBe(false);
});
