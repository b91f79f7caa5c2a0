import { expect, test } from "bun:test";
import { proofParts } from "#services/replay/proof-parts.ts";

const contracts = (...counts: readonly number[]) =>
  new Map(
    counts.map((count, i) => [
      BigInt(i),
      new Set(Array.from({ length: count }, (_, key) => BigInt(key))),
    ]),
  );

test("divides places into parts of a maximum size, classes one by one", () => {
  const places = { contracts: contracts(5, 0, 1, 9), classes: new Set([7n, 8n]) };
  for (let most = 2; most < 30; most++) {
    const parts = proofParts(places, most);
    const sizes = parts.map(
      (part) =>
        part.classHashes.length +
        part.contracts.reduce((sum, [, keys]) => sum + 1 + keys.length, 0),
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(most);
    const asked = parts.flatMap((part) =>
      part.contracts.flatMap(([address, keys]) => [
        `${address}`,
        ...keys.map((key) => `${address}/${key}`),
      ]),
    );
    const meant = [...places.contracts].flatMap(([address, keys]) => [
      `${address}`,
      ...[...keys].map((key) => `${address}/${key}`),
    ]);
    expect([...new Set(asked)].sort()).toEqual(meant.sort());
    expect(parts.flatMap((part) => part.classHashes)).toEqual([7n, 8n]);
    expect(parts.filter((part) => part.classHashes.length > 1)).toEqual([]);
  }
});

test("makes no request for nothing to prove", () => {
  expect(proofParts({ contracts: new Map(), classes: new Set() }, 90)).toEqual([]);
});
