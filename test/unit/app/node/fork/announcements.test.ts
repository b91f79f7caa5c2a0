import { expect, test } from "bun:test";
import { Announcements } from "#app/node/fork/announcements.ts";
import type { OriginQuery } from "#io/origin/index.ts";

const nonceOf = (address: bigint): OriginQuery => ({ kind: "nonce", block: 3, address });

test("each value is announced once", () => {
  const announcements = new Announcements();
  expect(announcements.add([nonceOf(1n), nonceOf(2n), nonceOf(1n)])).toEqual([
    nonceOf(1n),
    nonceOf(2n),
  ]);
  expect(announcements.add([nonceOf(2n), nonceOf(3n)])).toEqual([nonceOf(3n)]);
});

test("a value that was announced long ago is announced again", () => {
  const announcements = new Announcements();
  announcements.add([nonceOf(1n)]);
  announcements.add(Array.from({ length: 20_000 }, (_, index) => nonceOf(BigInt(index + 2))));
  expect(announcements.add([nonceOf(1n)])).toEqual([nonceOf(1n)]);
});
