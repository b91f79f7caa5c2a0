import { expect, test } from "bun:test";
import { ConnectionLimit } from "#api/rpc/limits/connection-limit.ts";

test("ConnectionLimit counts all connections together and frees them", () => {
  const limit = new ConnectionLimit({ max: 2, maxPerAddress: Infinity });
  expect([limit.enter("a"), limit.enter("a")]).toEqual([undefined, undefined]);
  expect(limit.enter("b")).toContain("reached its connection limit: 2");
  limit.leave("a");
  expect(limit.enter("b")).toBeUndefined();
  expect(limit.enter("a")).toContain("2");
});

test("ConnectionLimit counts connections per address", () => {
  const limit = new ConnectionLimit({ max: 10, maxPerAddress: 2 });
  expect([limit.enter("a"), limit.enter("a")]).toEqual([undefined, undefined]);
  expect(limit.enter("a")).toContain("this address has reached its connection limit: 2");
  expect(limit.enter("b")).toBeUndefined();
  limit.leave("a");
  expect(limit.enter("a")).toBeUndefined();
});

test("ConnectionLimit does not count rejected connections", () => {
  const limit = new ConnectionLimit({ max: 3, maxPerAddress: 1 });
  for (let i = 0; i < 100; i++) limit.enter("a");
  expect([limit.enter("b"), limit.enter("c")]).toEqual([undefined, undefined]);
});

test("ConnectionLimit reports the address with the most connections", () => {
  const limit = new ConnectionLimit({ max: 9, maxPerAddress: 9 });
  expect(limit.largest()).toBeUndefined();
  for (const address of ["a", "b", "b", "c"]) limit.enter(address);
  expect(limit.largest()).toEqual({ address: "b", count: 2 });
  expect([limit.count("a"), limit.count("d")]).toEqual([1, 0]);
});
