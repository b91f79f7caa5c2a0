import { expect, test } from "bun:test";
import fc from "fast-check";
import { contractAddress, contractAddressBatch } from "#protocol/chain/index.ts";
import { InvariantError } from "#base/errors/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const felt = fc.bigInt(0n, FIELD_PRIME - 1n);

test("contractAddressBatch computes the same addresses as contractAddress", () => {
  const seeds = fc.array(
    fc.record({ salt: felt, constructorCalldata: fc.array(felt, { minLength: 2, maxLength: 2 }) }),
    { maxLength: 20 },
  );
  assertProperty(
    fc.property(felt, felt, seeds, (deployer, classHash, batch) => {
      const expected = batch.map(({ salt, constructorCalldata }) =>
        contractAddress(deployer, salt, classHash, constructorCalldata),
      );
      expect(contractAddressBatch(deployer, classHash, batch)).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

test("contractAddressBatch treats calldata of different lengths as a bug", () => {
  const seeds = [
    { salt: 1n, constructorCalldata: [1n] },
    { salt: 1n, constructorCalldata: [] },
  ];
  expect(() => contractAddressBatch(0n, 1n, seeds)).toThrow(InvariantError);
});
