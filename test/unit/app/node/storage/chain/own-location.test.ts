import { expect, test } from "bun:test";
import { InvariantError, OriginError } from "#base/errors/index.ts";
import { ownLocation } from "#app/node/storage/chain/own-location.ts";

const throwing = (error: Error) => ({
  locate: (): never => {
    throw error;
  },
});

test("returns the location in a block of this node", () => {
  const location = { blockNumber: 3, index: 1 };
  expect(ownLocation({ locate: () => location }, 7n)).toEqual(location);
});

test("returns nothing for a transaction that only the origin may have", () => {
  const lost = new OriginError("ORIGIN_NOT_HERE", "this thread does not wait", true);
  expect(ownLocation(throwing(lost), 7n)).toBeUndefined();
});

test("throws other errors", () => {
  const broken = throwing(new InvariantError("broken"));
  expect(() => ownLocation(broken, 7n)).toThrow(InvariantError);
});
