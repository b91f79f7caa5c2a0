import { describe, expect, test } from "bun:test";
import { getStarkKey, poseidonHashMany } from "@scure/starknet";
import { hash, shortString } from "starknet";
import { accountStorage, devAccounts } from "#services/sequencer/dev-accounts.ts";
import { devSeedFromText, devSeedText } from "#services/sequencer/dev-seed.ts";
import { MersenneTwister64 } from "#services/sequencer/mersenne-twister.ts";
import { hexFromFelt } from "#base/primitives/index.ts";

const CLASS_HASH = 0xc1a55n;

/** Seed, index, address, private and public key. */
const DEVNET_ACCOUNTS = [
  [
    0n,
    0,
    0x64b48806902a367c8598f4f95c305e8c1a1acba5f082d294a43793113115691n,
    0x71d7bb07b9a64f6f78ac4c816aff4da9n,
    0x39d9e6ce352ad4530a0ef5d5a18fd3303c3606a7fa6ac5b620020ad681cc33bn,
  ],
] as const;

const SEED = { accounts: "appchain", number: 7n } as const;

test("have the keys and addresses that other libraries compute", () => {
  const accounts = devAccounts(SEED, 3, CLASS_HASH);
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

test("start with the same accounts for a higher count, and differ for another seed", () => {
  const accounts = devAccounts(SEED, 3, CLASS_HASH);
  expect(devAccounts(SEED, 5, CLASS_HASH).slice(0, 3)).toEqual(accounts);
  expect(devAccounts({ ...SEED, number: 8n }, 1, CLASS_HASH)[0]?.privateKey).not.toBe(
    accounts[0]?.privateKey,
  );
  expect(devAccounts(SEED, 0, CLASS_HASH)).toEqual([]);
});

describe("accounts of starknet-devnet", () => {
  // As starknet-devnet 0.10.1 prints them at its start.
  test.each(DEVNET_ACCOUNTS)(
    "of seed %d, at %d, have its keys and address",
    (number, index, address, privateKey, key) => {
      const accounts = devAccounts({ accounts: "starknet-devnet", number }, index + 1, CLASS_HASH);
      expect(accounts[index]).toEqual({ address, privateKey, publicKey: key });
    },
  );

  test("are distinguished from our own with the same seed", () => {
    for (const seed of [SEED, { accounts: "starknet-devnet", number: 7n } as const]) {
      expect(devSeedFromText(devSeedText(seed))).toEqual(seed);
    }
    expect(devSeedText(SEED)).toBe("7");
  });
});

test("use the Mersenne Twister that C++ requires of std::mt19937_64", () => {
  const generator = new MersenneTwister64(5489n);
  let last = 0n;
  for (let i = 0; i < 10_000; i++) last = generator.next();
  // C++17, [rand.predef]: the 10000th consecutive invocation.
  expect(last).toBe(9_981_545_732_273_789_042n);
});

describe("a deployed account's storage", () => {
  const key = BigInt(hash.starknetKeccak("Account_public_key"));

  test("contains only its key if its class is shipped", () => {
    expect([...accountStorage(5n, true)]).toEqual([[key, 5n]]);
  });

  test("registers the account interface if its class is foreign, like its constructor", () => {
    const entry = hash.computePedersenHash(
      hash.getSelectorFromName("SRC5_supported_interfaces"),
      "0x2ceccef7f994940b3962a6c67e0ba4fcd37df7d131417c604f91e03caecc1cd",
    );
    expect(new Map(accountStorage(5n, false))).toEqual(
      new Map([
        [key, 5n],
        [BigInt(entry) % (2n ** 251n - 256n), 1n],
      ]),
    );
  });
});
