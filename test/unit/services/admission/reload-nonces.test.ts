import { expect, test } from "bun:test";
import { InvariantError, OriginError } from "#base/errors/index.ts";
import { ReloadNonces } from "#services/admission/reload-nonces.ts";

const ENTRIES = [
  { sender: 1n, nonce: 7n },
  { sender: 1n, nonce: 5n },
  { sender: 2n, nonce: 9n },
];

function lost(): never {
  throw new OriginError("ORIGIN_UNAVAILABLE", "lost", true);
}

test("are those of the state", () => {
  const nonces = new ReloadNonces({ nonceAt: (sender) => sender + 100n }, () => ENTRIES);
  expect(nonces.of(1n)).toBe(101n);
});

test("are the lowest restored ones if the fork's origin does not return them", () => {
  const nonces = new ReloadNonces({ nonceAt: lost }, () => ENTRIES);
  expect([nonces.of(1n), nonces.of(2n)]).toEqual([5n, 9n]);
});

test("are unknown after other errors", () => {
  const broken = (): never => {
    throw new InvariantError("broken");
  };
  expect(() => new ReloadNonces({ nonceAt: broken }, () => ENTRIES).of(1n)).toThrow(InvariantError);
});
