import { expect, test } from "bun:test";
import { loadedBy } from "#test/helpers/loaded-modules.ts";

const readsL1 = (path: string): boolean =>
  path === "viem" || path.startsWith("viem/") || path.includes("/src/io/l1/");

test("a node that does not follow L1 loads nothing that reads it", () => {
  const all = [...loadedBy("src/app/node/node.ts")];
  expect(all.length).toBeGreaterThan(300);
  expect(all.filter(readsL1)).toEqual([]);
});

test("one that follows L1 does", () => {
  const all = [...loadedBy("src/app/node/l1/connect-l1.ts")];
  expect(all).toContain("viem");
});
