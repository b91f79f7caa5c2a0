import { beforeEach, describe, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import { PendingOverlay } from "#engine/state/index.ts";
import { testDelta } from "#test/helpers/blocks.ts";
import { renamedClass } from "#test/helpers/declare-world.ts";
import { encodedClassOf } from "#test/helpers/encoded-class.ts";
import { errorOf, resultOf } from "#test/helpers/rpc.ts";
import { SAMPLE_CHAIN, sampleContext } from "#test/helpers/sample-chain.ts";
import { errorObject } from "./common.ts";
import type { FullContext } from "#test/helpers/serving.ts";

const ABI = '[ {"b":1,  "a":"\\u00e9 \u00e9 \u{1f9ea}"} ]\n';
const DECLARED = renamedClass("account", ABI);
const CLASS_HASH = hexFromFelt(DECLARED.classHash);
const ADDRESS = 0xdec1n;

/** Block that declares a class and deploys a contract of it. */
const DECLARING = testDelta(2, {
  diff: {
    ...EMPTY_STATE_DIFF,
    declaredClasses: new Map([[DECLARED.classHash, 1n]]),
    deployedContracts: new Map([[ADDRESS, DECLARED.classHash]]),
  },
  classes: [encodedClassOf(DECLARED)],
  sealed: true,
});

describe.each([
  ["the open block", [DECLARING]],
  ["a sealed, unaccepted block", [DECLARING, testDelta(3)]],
])("class declared in %s", (_, deltas) => {
  let context: FullContext;

  beforeEach(() => {
    const overlay = new PendingOverlay(SAMPLE_CHAIN);
    for (const each of deltas) overlay.apply(each);
    context = sampleContext({ pending: () => overlay.newest() });
  });

  test("is returned with every character of its ABI", async () => {
    const byHash = await resultOf("getClass", ["pre_confirmed", CLASS_HASH], context);
    expect(byHash).toMatchObject({ abi: ABI });
    const params = ["pre_confirmed", hexFromFelt(ADDRESS)];
    expect(await resultOf("getClassAt", params, context)).toEqual(byHash);
  });

  test("is the class of the contract that the block deploys", async () => {
    const params = ["pre_confirmed", hexFromFelt(ADDRESS)];
    expect(await resultOf("getClassHashAt", params, context)).toBe(CLASS_HASH);
  });

  test("is not found at latest", async () => {
    expect(await errorOf("getClass", ["latest", CLASS_HASH], context)).toEqual(
      errorObject("CLASS_HASH_NOT_FOUND"),
    );
    expect(await errorOf("getClassAt", ["latest", hexFromFelt(ADDRESS)], context)).toEqual(
      errorObject("CONTRACT_NOT_FOUND"),
    );
  });
});
