import { expect, test } from "bun:test";
import fc from "fast-check";
import { emptyStateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { RecentValues } from "#engine/state/recent-values.ts";
import { assertProperty } from "#test/helpers/property.ts";

test("RecentValues does not know values that were not stored", () => {
  const values = new RecentValues();
  values.keepStorage(1n, 2n, 0n);
  const found = [values.storageAt(1n, 2n), values.storageAt(1n, 3n), values.storageAt(2n, 2n)];
  expect(found).toEqual([0n, undefined, undefined]);
  expect({ ...values.contract(1n) }).toMatchObject({ nonce: undefined, classHash: undefined });
});

test("RecentValues.apply updates known values only", () => {
  const values = new RecentValues();
  values.keepStorage(1n, 2n, 20n);
  values.contract(1n).nonce = 7n;
  const known = new Map([
    [1n, 8n],
    [5n, 9n],
  ]);
  values.apply({
    ...emptyStateDiff(),
    storageDiffs: new Map([
      [
        1n,
        new Map([
          [2n, 21n],
          [3n, 30n],
        ]),
      ],
    ]),
    nonces: known,
    deployedContracts: new Map([[6n, 60n]]),
    replacedClasses: new Map([[1n, 70n]]),
  });
  expect([values.storageAt(1n, 2n), values.storageAt(1n, 3n)]).toEqual([21n, undefined]);
  expect({ ...values.contract(1n) }).toMatchObject({ nonce: 8n, classHash: 70n });
  expect({ ...values.contract(6n) }).toMatchObject({ nonce: undefined, classHash: undefined });
});

test("RecentValues evicts old values but keeps used ones", () => {
  const values = new RecentValues(100);
  for (let key = 0n; key < 1_000n; key++) {
    values.keepStorage(9n, key, key);
    expect(values.storageAt(1n, 1n)).toBe(key === 0n ? undefined : 11n);
    if (key === 0n) values.keepStorage(1n, 1n, 11n);
  }
  let kept = 0;
  for (let key = 0n; key < 1_000n; key++) if (values.storageAt(9n, key) !== undefined) kept++;
  expect(kept).toBeGreaterThan(20);
  expect(kept).toBeLessThanOrEqual(100);
});

const small = fc.integer({ min: 0, max: 4 }).map(BigInt);
const uses = fc.oneof(
  fc.record({ kind: fc.constant("cell" as const), address: small, key: small }),
  fc.record({ kind: fc.constant("contract" as const), address: small, key: small }),
  fc.record({ kind: fc.constant("change" as const), address: small, key: small }),
);

test("RecentValues is consistent after any reads and changes", () => {
  assertProperty(
    fc.property(fc.integer({ min: 2, max: 60 }), fc.array(uses, { maxLength: 200 }), (max, all) => {
      const values = new RecentValues(max);
      const truth = new Map<string, Felt>();
      const cell = (address: Felt, key: Felt) => truth.get(`${address}/${key}`) ?? 0n;
      for (const [index, { kind, address, key }] of all.entries()) {
        const contract = kind === "contract" ? values.contract(address) : undefined;
        if (kind === "change") {
          const next = BigInt(index + 1);
          const field = key === 0n ? "nonce" : key === 1n ? "class" : key;
          truth.set(`${address}/${field}`, next);
          const one = new Map([[address, next]]);
          values.apply({
            ...emptyStateDiff(),
            ...(field === "nonce"
              ? { nonces: one }
              : field === "class"
                ? index % 2 === 0
                  ? { deployedContracts: one }
                  : { replacedClasses: one }
                : { storageDiffs: new Map([[address, new Map([[key, next]])]]) }),
          });
        } else if (contract !== undefined) {
          const nonce = truth.get(`${address}/nonce`) ?? 0n;
          const classHash = truth.get(`${address}/class`) ?? 0n;
          expect(contract.nonce ?? nonce).toBe(nonce);
          expect(contract.classHash ?? classHash).toBe(classHash);
          contract.nonce = nonce;
          if (key > 2n) contract.classHash = classHash;
        } else {
          const known = values.storageAt(address, key);
          expect(known ?? cell(address, key)).toBe(cell(address, key));
          if (known === undefined) values.keepStorage(address, key, cell(address, key));
        }
      }
    }),
  );
});
