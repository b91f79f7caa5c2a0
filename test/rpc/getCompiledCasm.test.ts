import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";
import {
  type BundledClass,
  casmClassFromJson,
  compiledClassHash,
  EMPTY_STATE_DIFF,
  type StateDiff,
} from "#protocol/chain/index.ts";
import { PendingOverlay } from "#engine/state/index.ts";
import { SPEC_0_10_2 } from "#api/rpc/spec/v0_10/index.ts";
import { blockCommit, testDelta } from "#test/helpers/blocks.ts";
import { type ChainFolder, openChainFolder } from "#test/helpers/chain-folder.ts";
import { encodedClassOf } from "#test/helpers/encoded-class.ts";
import { errorOf, newestOpenRpc, resultOf, specTest } from "#test/helpers/rpc.ts";
import {
  emptyContext,
  LEGACY_CLASS,
  sampleContext,
  SIERRA_CLASS,
} from "#test/helpers/sample-chain.ts";
import { fixturePath, readFixtureJson, SHARED, sharedTest } from "#test/helpers/shared.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { errorObject, testBadParams } from "./common.ts";
import type { FullContext } from "#test/helpers/serving.ts";

/** One in this many classes of the reference compiler is compared with the schema. */
const STRIDE = bySize({ quick: 8, full: 1 });

/** Output of the reference compiler: with several segments, with one, and with negative operands. */
const GOLDEN = { "8502ba2d6ba0": 0xa1n, "4fff7a1813cd": 0xa2n, "0fbeb927b75f": 0xa3n } as const;
const [SEGMENTED, WHOLE] = Object.keys(GOLDEN) as [keyof typeof GOLDEN, keyof typeof GOLDEN];
const WITHOUT_CODE = 0xa4n;
const LEGACY = 0xa5n;
const PENDING = 0xa6n;

const casmText = (id: string): string =>
  readFileSync(fixturePath("casm-golden", `${id}.casm.json`), "utf8");

const declared = (classHash: bigint, casmJson: string | null): BundledClass => ({
  classHash,
  contractClass: SIERRA_CLASS,
  casmJson,
});

const declaring = (...classes: readonly BundledClass[]): StateDiff => ({
  ...EMPTY_STATE_DIFF,
  declaredClasses: new Map(classes.map(({ classHash }) => [classHash, 1n])),
});

/** The reference compiler's output in the format of the specification. */
function expectedOf(id: string): Record<string, unknown> {
  const unsigned = casmText(id).replaceAll(
    /"-(0x[0-9a-f]+)"/g,
    (_, digits: string) => `"${hexFromFelt(FIELD_PRIME - BigInt(digits))}"`,
  );
  const { pythonic_hints: _, ...members } = JSON.parse(unsigned) as Record<string, unknown>;
  return members;
}

let folder: ChainFolder;
let context: FullContext;
const answerOf = (classHash: bigint, from = context): Promise<unknown> =>
  resultOf("getCompiledCasm", [hexFromFelt(classHash)], from);

beforeAll(async () => {
  folder = await openChainFolder();
  const golden = SHARED === undefined ? [] : Object.entries(GOLDEN);
  const classes = golden.map(([id, hash]) => declared(hash, casmText(id)));
  const legacy: BundledClass = { classHash: LEGACY, contractClass: LEGACY_CLASS, casmJson: null };
  classes.push(declared(WITHOUT_CODE, null), legacy);
  folder.writer.commitBlock(blockCommit(0, { classes, stateDiff: declaring(...classes) }));
  context = sampleContext({ chain: folder.reader, pending: () => undefined });
});
afterAll(() => folder[Symbol.dispose]());

describe("compiled class of an accepted block", () => {
  for (const [id, classHash] of Object.entries(GOLDEN)) {
    sharedTest(`equals the reference compiler's output: ${id}`, async () => {
      expect(await answerOf(classHash)).toEqual(expectedOf(id));
    });
  }

  sharedTest("has segment lengths only if the compiler created segments", async () => {
    expect(await answerOf(GOLDEN[SEGMENTED])).toHaveProperty("bytecode_segment_lengths");
    expect(await answerOf(GOLDEN[WHOLE])).not.toHaveProperty("bytecode_segment_lengths");
  });
});

describe.each([
  ["pre-confirmed", []],
  ["sealed but unaccepted", [testDelta(2)]],
])("compiled class of a %s block", (_, above) => {
  const pending = (): FullContext => {
    const overlay = new PendingOverlay(folder.reader);
    const own = declared(PENDING, casmText(SEGMENTED));
    const diff = declaring(own);
    const classes = [encodedClassOf(own)];
    const [next] = above;
    overlay.apply(testDelta(1, { diff, classes, sealed: next !== undefined }));
    if (next !== undefined) overlay.apply(next);
    return { ...context, pending: () => overlay.newest() };
  };

  sharedTest("is found", async () => {
    expect(await answerOf(PENDING, pending())).toEqual(expectedOf(SEGMENTED));
    expect(await errorOf("getCompiledCasm", [hexFromFelt(PENDING)], context)).toEqual(
      errorObject("CLASS_HASH_NOT_FOUND"),
    );
  });

  sharedTest("does not affect accepted classes", async () => {
    expect(await answerOf(GOLDEN[WHOLE], pending())).toEqual(expectedOf(WHOLE));
    const missing = [hexFromFelt(WITHOUT_CODE)];
    expect(await errorOf("getCompiledCasm", missing, pending())).toMatchObject(
      errorObject("COMPILATION_ERROR"),
    );
  });
});

test("responds CLASS_HASH_NOT_FOUND for a Cairo 0 class, which is not compiled from Sierra", async () => {
  expect(await resultOf("getClass", ["latest", hexFromFelt(LEGACY)], context)).toBeObject();
  expect(await errorOf("getCompiledCasm", [hexFromFelt(LEGACY)], context)).toEqual(
    errorObject("CLASS_HASH_NOT_FOUND"),
  );
});

test("responds CLASS_HASH_NOT_FOUND for an unknown class, also before the first block", async () => {
  for (const from of [context, emptyContext()]) {
    expect(await errorOf("getCompiledCasm", ["0x9"], from)).toEqual(
      errorObject("CLASS_HASH_NOT_FOUND"),
    );
  }
});

test("responds COMPILATION_ERROR for a Sierra class whose compiled code is missing", async () => {
  expect(await errorOf("getCompiledCasm", [hexFromFelt(WITHOUT_CODE)], context)).toEqual({
    ...errorObject("COMPILATION_ERROR"),
    data: { compilation_error: "this node has no compiled code of the class" },
  });
});

sharedTest("omits a single segment, which the schema does not allow", () => {
  const casm = casmClassFromJson(casmText(WHOLE));
  const { length } = casm.bytecode;
  const single = { ...casm, bytecodeSegmentLengths: length };
  expect(compiledClassHash(single, "blake")).toBe(compiledClassHash(casm, "blake"));
  expect(SPEC_0_10_2.compiledClass(single)).toEqual(SPEC_0_10_2.compiledClass(casm));
});

/**
 * A response with 0 for negative cell offsets. The schema allows only offsets from 0, although
 * cells of locals and arguments have negative ones.
 */
function withCellsFromZero(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withCellsFromZero);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      if (name === "offset") return [name, Math.max(0, Number(member))];
      if (name !== "DoubleDeref") return [name, withCellsFromZero(member)];
      const [cell, offset] = member as readonly unknown[];
      return [name, [withCellsFromZero(cell), Math.max(0, Number(offset))]];
    }),
  );
}

sharedTest("matches the schema for classes of the reference compiler", async () => {
  const index = readFixtureJson("casm-golden", "index.json") as readonly { readonly id: string }[];
  const small = index.map(({ id }) => id).filter((id) => casmText(id).length < 400_000);
  expect(small.length).toBeGreaterThan(80);
  const compared = small.filter((_, i) => i % STRIDE === 0);
  const hashes = new Map(compared.map((id, i) => [id, 0x1000n + BigInt(i)]));
  const classes = compared.map((id) => declared(hashes.get(id) ?? 0n, casmText(id)));
  const overlay = new PendingOverlay(folder.reader);
  overlay.apply(testDelta(1, { classes: classes.map(encodedClassOf) }));
  const pending: FullContext = { ...context, pending: () => overlay.newest() };
  for (const [id, hash] of hashes) {
    const answer = withCellsFromZero(await answerOf(hash, pending));
    expect({ id, found: newestOpenRpc().resultFindings("getCompiledCasm", answer) }).toEqual({
      id,
      found: [],
    });
  }
});

testBadParams("getCompiledCasm", { class_hash: "a1" }, "class_hash");
testBadParams("getCompiledCasm", {}, "class_hash");
testBadParams("getCompiledCasm", { class_hash: "0x1", block_id: "latest" }, "block_id");
specTest("getCompiledCasm", [[["0x9"]], [["0x51e77a"]], [["0x1e6ac"]]]);

sharedTest("accepts named and positional parameters", async () => {
  const class_hash = hexFromFelt(GOLDEN[WHOLE]);
  expect(await resultOf("getCompiledCasm", { class_hash }, context)).toEqual(expectedOf(WHOLE));
});
