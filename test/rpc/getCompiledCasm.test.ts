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
import { errorObject, testBadParams } from "./common.ts";
import type { WholeContext } from "#test/helpers/serving.ts";

/** Classes that the reference compiler compiled: in segments, in one, and with negative operands. */
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

/** What the specification makes of the reference compiler's file. */
function expectedOf(id: string): Record<string, unknown> {
  const unsigned = casmText(id).replaceAll(
    /"-(0x[0-9a-f]+)"/g,
    (_, digits: string) => `"${hexFromFelt(FIELD_PRIME - BigInt(digits))}"`,
  );
  const { pythonic_hints: _, ...members } = JSON.parse(unsigned) as Record<string, unknown>;
  return members;
}

let folder: ChainFolder;
let context: WholeContext;
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

describe("the code of a class of an accepted block", () => {
  for (const [id, classHash] of Object.entries(GOLDEN)) {
    sharedTest(`is the reference compiler's: ${id}`, async () => {
      expect(await answerOf(classHash)).toEqual(expectedOf(id));
    });
  }

  sharedTest("has a list of segments where the compiler made some, else none", async () => {
    expect(await answerOf(GOLDEN[SEGMENTED])).toHaveProperty("bytecode_segment_lengths");
    expect(await answerOf(GOLDEN[WHOLE])).not.toHaveProperty("bytecode_segment_lengths");
  });
});

describe.each([
  ["that is being built", []],
  ["below it that is not accepted", [testDelta(2)]],
])("the code of a class of a block %s", (_, above) => {
  const pending = (): WholeContext => {
    const overlay = new PendingOverlay(folder.reader);
    const own = declared(PENDING, casmText(SEGMENTED));
    const diff = declaring(own);
    const classes = [encodedClassOf(own)];
    const [next] = above;
    overlay.apply(testDelta(1, { diff, classes, sealed: next !== undefined }));
    if (next !== undefined) overlay.apply(next);
    return { ...context, pending: () => overlay.newest() };
  };

  sharedTest("is there", async () => {
    expect(await answerOf(PENDING, pending())).toEqual(expectedOf(SEGMENTED));
    expect(await errorOf("getCompiledCasm", [hexFromFelt(PENDING)], context)).toEqual(
      errorObject("CLASS_HASH_NOT_FOUND"),
    );
  });

  sharedTest("stands beside that of accepted classes", async () => {
    expect(await answerOf(GOLDEN[WHOLE], pending())).toEqual(expectedOf(WHOLE));
    const missing = [hexFromFelt(WITHOUT_CODE)];
    expect(await errorOf("getCompiledCasm", missing, pending())).toMatchObject(
      errorObject("COMPILATION_ERROR"),
    );
  });
});

test("a Cairo 0 class is CLASS_HASH_NOT_FOUND: there is nothing it was compiled from", async () => {
  expect(await resultOf("getClass", ["latest", hexFromFelt(LEGACY)], context)).toBeObject();
  expect(await errorOf("getCompiledCasm", [hexFromFelt(LEGACY)], context)).toEqual(
    errorObject("CLASS_HASH_NOT_FOUND"),
  );
});

test("a class that nobody declared is CLASS_HASH_NOT_FOUND, also before the first block", async () => {
  for (const from of [context, emptyContext()]) {
    expect(await errorOf("getCompiledCasm", ["0x9"], from)).toEqual(
      errorObject("CLASS_HASH_NOT_FOUND"),
    );
  }
});

test("a Sierra class whose code the node does not have is COMPILATION_ERROR", async () => {
  expect(await errorOf("getCompiledCasm", [hexFromFelt(WITHOUT_CODE)], context)).toEqual({
    ...errorObject("COMPILATION_ERROR"),
    data: { compilation_error: "this node has no compiled code of the class" },
  });
});

sharedTest("one segment is hashed as none, and written as none: the schema wants a list", () => {
  const casm = casmClassFromJson(casmText(WHOLE));
  const { length } = casm.bytecode;
  const single = { ...casm, bytecodeSegmentLengths: length };
  expect(compiledClassHash(single, "blake")).toBe(compiledClassHash(casm, "blake"));
  expect(SPEC_0_10_2.compiledClass(single)).toEqual(SPEC_0_10_2.compiledClass(casm));
});

/**
 * An answer with 0 for negative offsets of cells: the schema wants them from 0 on, though locals and
 * arguments have no others.
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

sharedTest("every class of the reference compiler has the form of the schema", async () => {
  const index = readFixtureJson("casm-golden", "index.json") as readonly { readonly id: string }[];
  const small = index.map(({ id }) => id).filter((id) => casmText(id).length < 400_000);
  expect(small.length).toBeGreaterThan(80);
  const hashes = new Map(small.map((id, i) => [id, 0x1000n + BigInt(i)]));
  const classes = small.map((id) => declared(hashes.get(id) ?? 0n, casmText(id)));
  const overlay = new PendingOverlay(folder.reader);
  overlay.apply(testDelta(1, { classes: classes.map(encodedClassOf) }));
  const pending: WholeContext = { ...context, pending: () => overlay.newest() };
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

sharedTest("takes its parameter by position and by name", async () => {
  const class_hash = hexFromFelt(GOLDEN[WHOLE]);
  expect(await resultOf("getCompiledCasm", { class_hash }, context)).toEqual(expectedOf(WHOLE));
});
