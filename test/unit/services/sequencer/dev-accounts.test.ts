import { expect, test } from "bun:test";
import { getStarkKey, poseidonHashMany } from "@scure/starknet";
import { hash, shortString } from "starknet";
import { accountStorage, devAccounts } from "#services/sequencer/dev-accounts.ts";
import { hexFromFelt } from "#base/primitives/index.ts";

const CLASS_HASH = 0xc1a55n;

test("accounts of a seed have the keys and addresses that other libraries compute", () => {
  const accounts = devAccounts(7n, 3, CLASS_HASH);
  expect(accounts).toHaveLength(3);
  for (const [index, { privateKey, publicKey, address }] of accounts.entries()) {
    const domain = BigInt(shortString.encodeShortString("appchain dev account"));
    const digest = poseidonHashMany([domain, 7n, BigInt(index)]);
    expect(privateKey).toBe(digest & (2n ** 250n - 1n));
    expect(publicKey).toBe(BigInt(getStarkKey(hexFromFelt(privateKey))));
    const key = hexFromFelt(publicKey);
    const calculated = hash.calculateContractAddressFromHash(
      key,
      hexFromFelt(CLASS_HASH),
      [key],
      0,
    );
    expect(address).toBe(BigInt(calculated));
  }
});

test("more accounts start with the same ones; another seed has others", () => {
  const accounts = devAccounts(7n, 3, CLASS_HASH);
  expect(devAccounts(7n, 5, CLASS_HASH).slice(0, 3)).toEqual(accounts);
  expect(devAccounts(8n, 1, CLASS_HASH)[0]?.privateKey).not.toBe(accounts[0]?.privateKey);
  expect(devAccounts(7n, 0, CLASS_HASH)).toEqual([]);
});

test("a deployed account's storage holds its key alone", () => {
  const key = BigInt(hash.starknetKeccak("Account_public_key"));
  expect([...accountStorage(5n)]).toEqual([[key, 5n]]);
});
