import { beforeAll, describe, expect, test } from "bun:test";
import { DecodeError } from "#base/errors/index.ts";
import { type BlockBundle, decodeBundle, encodeReceipt } from "#protocol/chain/index.ts";
import type { BlockCheckOutcome } from "#services/sync/index.ts";
import { encodeBundle } from "#test/helpers/bundle.ts";
import {
  changedBundle,
  checkBundle,
  differingPlaces,
  expectRefused,
  sampleBundle,
  type SampleBundle,
} from "#test/helpers/bundle-samples.ts";
import { NETWORK_BLOCKS, ownBlock } from "#test/helpers/gateway-blocks.ts";
import { fixtureTest } from "#test/helpers/shared.ts";
import { bySize } from "#test/helpers/test-size.ts";

const VERSIONS = ["0.14.4", "0.13.4", "0.13.2", "0.13.0"] as const;

const samples = new Map<string, SampleBundle>();
const sampleOf = (version: string): SampleBundle => {
  const sample = samples.get(version);
  if (sample === undefined) throw new TypeError(`no sample of ${version}`);
  return sample;
};

beforeAll(async () => {
  for (const version of VERSIONS) samples.set(version, await sampleBundle(ownBlock(version)));
});

const newest = (change: (bundle: BlockBundle) => BlockBundle): Promise<BlockCheckOutcome> => {
  const sample = sampleOf("0.14.4");
  return checkBundle(sample, changedBundle(sample, change));
};

describe("a valid bundle", () => {
  for (const version of VERSIONS) {
    test(`is accepted unchanged: one of ${version}`, async () => {
      const sample = sampleOf(version);
      const outcome = await checkBundle(sample, sample.bytes);
      expect(outcome).toMatchObject({ kind: "checked", number: 77, epoch: 0, isOnL1: false });
      if (outcome.kind !== "checked") return;
      expect(outcome.bundle).toEqual(sample.bytes);
      expect(outcome.carried).toEqual([]);
    });
  }

  const networkTest = fixtureTest("gateway-blocks");
  for (const block of NETWORK_BLOCKS) {
    networkTest(`is accepted unchanged: ${block.name}`, async () => {
      const sample = await sampleBundle(block);
      expect((await checkBundle(sample, sample.bytes)).kind).toBe("checked");
    });
  }

  test("reports its epoch", async () => {
    expect(await newest((bundle) => ({ ...bundle, epoch: 41 }))).toMatchObject({ epoch: 41 });
  });
});

/** Fields that no hash covers, which a store could change undetected. */
const OPEN = [
  ".block.receipts.daGas.l1DataGas",
  ".block.receipts.gas.l2Gas",
  ".block.receipts.isImpersonated",
  ".block.receipts.vmResources.builtins.pedersen",
  ".block.receipts.vmResources.memoryHoles",
  ".block.receipts.vmResources.steps",
  ".epoch",
];

/** From 0.13.4 on it is 0 if data is available in blobs. */
const DATA_L1_GAS = ".block.receipts.daGas.l1Gas";

const price = (name: string): string[] => [
  `.block.header.gasPrices.${name}.fri`,
  `.block.header.gasPrices.${name}.wei`,
];

/** Fields in which a changed bundle differs; `undefined` if it cannot be decoded. */
function placesIn(before: BlockBundle, bytes: Uint8Array): readonly string[] | undefined {
  try {
    return differingPlaces(before, decodeBundle(bytes));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return undefined;
  }
}

describe("a bundle with one flipped bit", () => {
  const newestOpen = ["0.14.4", []] as const;
  const middleOpen = ["0.13.2", [DATA_L1_GAS, ...price("l2Gas")]] as const;
  const oldestOpen = [
    "0.13.0",
    [DATA_L1_GAS, ...price("l1DataGas"), ...price("l1Gas"), ...price("l2Gas")],
  ] as const;
  for (const [version, more] of bySize({
    quick: [newestOpen, oldestOpen],
    full: [newestOpen, middleOpen, oldestOpen],
  })) {
    test(`is refused, except in the known open fields: ${version}`, async () => {
      const sample = sampleOf(version);
      const expected = new Set([...OPEN, ...more]);
      const open = new Set<string>();
      const before = decodeBundle(sample.bytes);
      const isKnownOpen = (bytes: Uint8Array): boolean =>
        placesIn(before, bytes)?.every((place) => expected.has(place)) ?? false;
      // Of the other fields, a quick run changes every byte in the newest version.
      const step = version === "0.14.4" ? 1 : bySize({ quick: 4, full: 1 });
      for (const [at, byte] of sample.bytes.entries()) {
        const bytes = sample.bytes.slice();
        bytes[at] = byte ^ (1 << (at % 8));
        if (at % step !== 0 && !isKnownOpen(bytes)) continue;
        const outcome = await checkBundle(sample, bytes);
        if (outcome.kind !== "checked") continue;
        expect(outcome.bundle).toEqual(bytes);
        for (const place of differingPlaces(before, decodeBundle(bytes))) open.add(place);
      }
      expect([...open].sort()).toEqual([...expected].sort());
    }, 120_000);
  }
});

describe("a truncated or extended bundle", () => {
  test("is refused at every length, even an empty one", async () => {
    const sample = sampleOf("0.14.4");
    for (let length = 0; length < sample.bytes.length; length += 13) {
      const outcome = await checkBundle(sample, sample.bytes.subarray(0, length));
      expectRefused(outcome, "form", /./);
    }
    const longer = new Uint8Array(sample.bytes.length + 1);
    longer.set(sample.bytes);
    expectRefused(await checkBundle(sample, longer), "form", /bundle\[\d+\]: expected end of data/);
  });

  test("is refused if a count exceeds the data", async () => {
    const sample = sampleOf("0.14.4");
    const huge = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f);
    for (let at = 1; at < sample.bytes.length; at += 7) {
      const bytes = new Uint8Array(sample.bytes.length + huge.length);
      bytes.set(sample.bytes.subarray(0, at));
      bytes.set(huge, at);
      bytes.set(sample.bytes.subarray(at), at + huge.length);
      const outcome = await checkBundle(sample, bytes);
      if (outcome.kind === "refused") continue;
      // No hash covers steps and builtins: only these can have any value.
      const places = differingPlaces(decodeBundle(sample.bytes), decodeBundle(bytes));
      expect(places.filter((place) => !place.includes(".vmResources."))).toEqual([]);
    }
  });
});

describe("a bundle with other contents", () => {
  test("is identified: another block", async () => {
    const sample = sampleOf("0.14.4");
    const outcome = await checkBundle({ ...sample, number: 78 }, sample.bytes);
    expect(outcome).toMatchObject({
      refusal: { check: "block_number", message: "number: expected 78, found 77" },
    });
  });

  test("is identified: another chain, another key", async () => {
    const sample = sampleOf("0.14.4");
    const chain = await checkBundle({ ...sample, chainId: 0x77n }, sample.bytes);
    expectRefused(chain, "transaction_hash", /transaction_hash of transaction/);
    const key = await checkBundle({ ...sample, publicKey: 0x77n }, sample.bytes);
    expectRefused(key, "signature", /by the key 0x77/);
  });

  test("is identified: a newer protocol, whatever follows its header", async () => {
    const version = (protocolVersion: string) =>
      newest((bundle) => {
        const { block } = bundle;
        return { ...bundle, block: { ...block, header: { ...block.header, protocolVersion } } };
      });
    expectRefused(
      await version("0.99.0"),
      "protocol_version",
      /at most 0\.14\.\d.*found 0\.99\.0$/,
    );
    expectRefused(await version("no\nversion"), "protocol_version", /found no\?version$/);
    const sample = sampleOf("0.14.4");
    const newer = changedBundle(sample, (bundle) => ({
      ...bundle,
      block: {
        ...bundle.block,
        header: { ...bundle.block.header, protocolVersion: "0.99.0" },
      },
    }));
    const cut = newer.subarray(0, newer.length - 400);
    expectRefused(await checkBundle(sample, cut), "protocol_version", /0\.99\.0/);
  });

  test("is identified: a newer bundle version", async () => {
    const sample = sampleOf("0.14.4");
    const bytes = sample.bytes.slice();
    bytes[0] = 2;
    expectRefused(
      await checkBundle(sample, bytes),
      "form",
      /bundle\[0\]: expected bundle version 1/,
    );
  });
});

test("receipts are preserved byte by byte", async () => {
  const sample = sampleOf("0.14.4");
  const outcome = await checkBundle(sample, sample.bytes);
  if (outcome.kind !== "checked") throw new TypeError("refused");
  const { block } = decodeBundle(outcome.bundle);
  expect(block.receipts.map(encodeReceipt)).toEqual(
    decodeBundle(sample.bytes).block.receipts.map(encodeReceipt),
  );
  expect(encodeBundle(decodeBundle(outcome.bundle))).toEqual(sample.bytes);
});
