import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { feltFromShortString } from "#base/primitives/index.ts";
import {
  type BlockBundle,
  decodeBundle,
  decodeContractClass,
  encodeContractClass,
} from "#protocol/chain/index.ts";
import { createChainReader, openDatabase } from "#io/storage/index.ts";
import { MAX_LEGACY_LENGTH } from "#services/sync/verify/check-carried.ts";
import type { CheckedBlock } from "#services/sync/index.ts";
import {
  changedBundle,
  checkBundle,
  sampleBundle,
  type SampleBundle,
} from "#test/helpers/bundle-samples.ts";
import { ownBlock } from "#test/helpers/gateway-blocks.ts";
import { createRandom } from "#test/helpers/random.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { makeTrueChain, TRUE_CHAIN_ID } from "#test/helpers/true-chain.ts";

/** Flipped bits: a class takes milliseconds to hash. */
const FLIPS = bySize({ quick: 15, full: 60 });

const folder = temporaryFolder();
/** Block 0 of a development chain, which declares classes. */
let genesis: SampleBundle;

beforeAll(async () => {
  const { publicKey } = await makeTrueChain(folder.path, { blocks: 0 });
  const database = await openDatabase({
    path: join(folder.path, "chain.db"),
    chainId: TRUE_CHAIN_ID,
    mode: "reader",
    durability: "normal",
  });
  const chain = createChainReader(database);
  genesis = {
    chainId: feltFromShortString(TRUE_CHAIN_ID),
    number: 0,
    publicKey,
    bytes: new Uint8Array(chain.bundleBytes(0) ?? []),
  };
  database.close();
});
afterAll(() => folder[Symbol.dispose]());

async function inOrder(): Promise<CheckedBlock> {
  const outcome = await checkBundle(genesis, genesis.bytes);
  if (outcome.kind !== "checked") throw new TypeError(JSON.stringify(outcome));
  return outcome;
}

const changed = (change: (classes: BlockBundle["classes"]) => BlockBundle["classes"]) =>
  checkBundle(
    genesis,
    changedBundle(genesis, (bundle) => ({ ...bundle, classes: change(bundle.classes) })),
  );

describe("the classes of a bundle", () => {
  test("are returned with the block in stored form, with their carried code", async () => {
    const outcome = await inOrder();
    const { classes } = decodeBundle(genesis.bytes);
    expect(outcome.carried.length).toBeGreaterThan(2);
    expect(outcome.carried.map(({ classHash }) => classHash)).toEqual(
      classes.map(({ classHash }) => classHash),
    );
    for (const [i, { contractClass, casmJson }] of outcome.carried.entries()) {
      expect(decodeContractClass(contractClass)).toEqual(classes[i]?.contractClass as never);
      expect(encodeContractClass(decodeContractClass(contractClass))).toEqual(
        new Uint8Array(contractClass),
      );
      expect(casmJson).toBe(classes[i]?.casmJson ?? null);
    }
    expect(decodeBundle(outcome.bundle)).toEqual({ ...decodeBundle(genesis.bytes), classes: [] });
  });

  test("can be fewer than the block declares", async () => {
    const outcome = await changed((classes) => classes.slice(1));
    expect(outcome).toMatchObject({ kind: "checked" });
  });

  test("are refused with any flipped bit, except in compiled code, which is compiled locally", async () => {
    const random = createRandom(20_261_123);
    const { offset } = classesBegin();
    const right = await inOrder();
    for (let flip = 0; flip < FLIPS; flip++) {
      const at = offset + random.below(genesis.bytes.length - offset);
      const bytes = genesis.bytes.slice();
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      const outcome = await checkBundle(genesis, bytes);
      if (outcome.kind === "refused") {
        expect(["form", "class_hash"]).toContain(outcome.refusal.check);
        continue;
      }
      if (outcome.kind !== "checked") throw new TypeError(outcome.kind);
      const told = outcome.carried.map(({ contractClass }) => Bun.hash(contractClass));
      expect(told).toEqual(right.carried.map(({ contractClass }) => Bun.hash(contractClass)));
    }
  });

  test("are refused if the block does not name them", async () => {
    const [stranger] = decodeBundle(genesis.bytes).classes;
    if (stranger === undefined) throw new TypeError("no class");
    const next = await sampleBundle(ownBlock("0.14.4"));
    const classes = [{ ...stranger, classHash: 5n }];
    const outcome = await checkBundle(
      next,
      changedBundle(next, (bundle) => ({ ...bundle, classes })),
    );
    expect(outcome).toMatchObject({
      refusal: {
        check: "class_hash",
        message: expect.stringMatching(/expected one that the block declares/) as string,
      },
    });
  });

  test("are refused before parsing if too large", async () => {
    const sample = await sampleBundle(ownBlock("0.14.4"));
    const carrying = (json: string) =>
      checkBundle(
        sample,
        changedBundle(sample, (bundle) => {
          const contractClass = { kind: "legacy", json } as const;
          return { ...bundle, classes: [{ classHash: 0x1e6acn, contractClass, casmJson: null }] };
        }),
      );
    expect(await carrying("[".repeat(MAX_LEGACY_LENGTH + 1))).toMatchObject({
      refusal: { check: "form", message: expect.stringMatching(/at most 33554432 char/) as string },
    });
    expect(await carrying("[".repeat(1_000))).toMatchObject({
      refusal: { check: "form", message: expect.stringMatching(/nests at most/) as string },
    });
  });

  test("are refused under each other's hashes", async () => {
    const outcome = await changed(([first, second, ...rest]) =>
      first === undefined || second === undefined
        ? []
        : [{ ...first, contractClass: second.contractClass }, second, ...rest],
    );
    expect(outcome).toMatchObject({ refusal: { check: "class_hash" } });
  });

  test("are refused as Cairo 0 for a declared Sierra class, and with code for Cairo 0", async () => {
    const legacy = { kind: "legacy", json: "{}" } as const;
    const one = await changed(([first, ...rest]) =>
      first === undefined ? [] : [{ ...first, contractClass: legacy, casmJson: null }, ...rest],
    );
    expect(one).toMatchObject({
      refusal: {
        check: "class_hash",
        message: expect.stringMatching(/expected one of Sierra, found one of Cairo 0/) as string,
      },
    });
    const code = await changed(([first, ...rest]) =>
      first === undefined ? [] : [{ ...first, contractClass: legacy, casmJson: "{}" }, ...rest],
    );
    expect(code).toMatchObject({
      refusal: {
        check: "form",
        message: expect.stringMatching(/expected no compiled code/) as string,
      },
    });
  });
});

/** Offset of the genesis classes in its bytes. */
function classesBegin(): { readonly offset: number } {
  const without = changedBundle(genesis, (bundle) => ({ ...bundle, classes: [] }));
  return { offset: without.length };
}
