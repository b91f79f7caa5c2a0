import { beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  blake2sFelts,
  keccak256,
  pedersen,
  pedersenArray,
  pedersenBatch,
  poseidon,
  poseidonMany,
  poseidonManyBatch,
  poseidonSingle,
  selectorFromName,
  sha256,
  starknetKeccak,
  storageVariableKey,
} from "#protocol/crypto/index.ts";
import { fieldKernel } from "#protocol/crypto/kernel.ts";
import { ADDRESS_BOUND } from "#base/primitives/index.ts";
import { buildKernels } from "../../../../scripts/kernels.ts";

beforeAll(async () => {
  await buildKernels(["field"]);
});

test("the Pedersen hash of an empty list is the published constant h(0, 0)", () => {
  // From the Starknet docs, hash of an empty array; it is x of the shift point.
  expect(pedersenArray([])).toBe(
    0x49ee3eba8c1600700ee1b87eb599f16716b0b1022947733551fde4050ca6804n,
  );
});

test("pedersenArray chains the values and then their number", () => {
  const chained = pedersen(pedersen(pedersen(0n, 5n), 6n), 2n);
  expect(pedersenArray([5n, 6n])).toBe(chained);
});

test("pedersenBatch keeps the order of its pairs", () => {
  expect(pedersenBatch([1n, 2n, 2n, 1n])).toEqual([pedersen(1n, 2n), pedersen(2n, 1n)]);
});

test("poseidonSingle and poseidon differ by the capacity element", () => {
  expect(poseidonSingle(7n)).toBe(fieldKernel().poseidonPermute(7n, 0n, 1n)[0]);
  expect(poseidon(7n, 8n)).toBe(fieldKernel().poseidonPermute(7n, 8n, 2n)[0]);
});

test("poseidonMany pads with one", () => {
  expect(poseidonMany([])).toBe(fieldKernel().poseidonPermute(1n, 0n, 0n)[0]);
  expect(poseidonMany([7n])).toBe(fieldKernel().poseidonPermute(7n, 1n, 0n)[0]);
  expect(poseidonManyBatch([[], [7n]])).toEqual([poseidonMany([]), poseidonMany([7n])]);
});

test("starknetKeccak keeps the low 250 bits", () => {
  // The Keccak-256 of the empty input starts with 0xc5: masking the top bits leaves 0x1d for
  // 0xc5d….
  expect(starknetKeccak("")).toBe(
    0x1d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470n,
  );
  expect(starknetKeccak(new Uint8Array())).toBe(starknetKeccak(""));
});

test("starknetKeccak encodes text as UTF-8", () => {
  expect(starknetKeccak("é")).toBe(starknetKeccak(new Uint8Array([0xc3, 0xa9])));
});

test("selectorFromName yields the selectors of deployed contracts", () => {
  expect(selectorFromName("transfer")).toBe(
    0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12en,
  );
  expect(selectorFromName("__execute__")).toBe(
    0x15d40a3d6ca2ac30f4031e42be28da9b056fef9bb7357ac5e85627ee876e5adn,
  );
});

test("selectorFromName of default entry points is zero", () => {
  expect(selectorFromName("__default__")).toBe(0n);
  expect(selectorFromName("__l1_default__")).toBe(0n);
});

test("storageVariableKey is sn_keccak of the name, then Pedersen with each key", () => {
  const base = 0x3a4e8ec16e258a799fe707996fd5d21d42b29adc1499a370edf7f809d8c458an;
  expect(storageVariableKey("ERC20_balances")).toBe(base);
  const key = pedersen(pedersen(base, 3n), 4n) % ADDRESS_BOUND;
  expect(storageVariableKey("ERC20_balances", 3n, 4n)).toBe(key);
});

test("keccak256 and sha256 return bytes", () => {
  expect(keccak256(new Uint8Array()).toHex()).toBe(
    "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
  );
  const data = new TextEncoder().encode("abc");
  expect(sha256(data).toHex()).toBe(createHash("sha256").update(data).digest("hex"));
});

test("blake2sFelts of an empty list is the hash of an empty message modulo P", () => {
  // BLAKE2s-256 of "": 69217a30...cef9, read little-endian.
  const digest = "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9";
  const value = BigInt(`0x${Uint8Array.fromHex(digest).toReversed().toHex()}`);
  expect(blake2sFelts([])).toBe(value % ((1n << 251n) + 17n * (1n << 192n) + 1n));
});
