import { expect, test } from "bun:test";
import { pointScalar } from "#engine/execution/call/point-scalar.ts";

test("pointScalar is the SHA-256 of its name, phase, index and origin", () => {
  const text = Buffer.from("appchain RandomEcPointvalidate 3 ");
  const hash = Buffer.alloc(32);
  hash[31] = 5;
  const digest = new Bun.CryptoHasher("sha256").update(text).update(hash).digest("hex");
  expect(pointScalar([5n], "validate", 3)).toBe(BigInt(`0x${digest}`));
});

test("pointScalar differs between transactions, phases, runs and requests", () => {
  const scalars = [
    pointScalar([5n], "validate", 0),
    pointScalar([6n], "validate", 0),
    pointScalar([5n], "execute", 0),
    pointScalar([5n], "validate", 1),
    pointScalar([5n, 6n], "validate", 0),
  ];
  expect(new Set(scalars).size).toBe(scalars.length);
});
