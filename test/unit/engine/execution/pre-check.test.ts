import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { nextBlockInfo } from "#app/node/setup/environment.ts";
import { contextFor } from "#app/node/setup/setup.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import { type BlockContext, preCheckTransaction } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { DeclareV3 } from "#protocol/chain/index.ts";
import { DeclareWorld, renamedClass } from "#test/helpers/declare-world.ts";

const CLASS = renamedClass("account", "[]");
const NOW_MS = 4_000_000_000_000;

let world: DeclareWorld;
let block: BlockContext;
let state: StateReader;

beforeAll(async () => {
  world = await DeclareWorld.create("0.14.4");
  block = contextFor(world.setup, nextBlockInfo(world.setup, world.chain, NOW_MS));
  state = world.chain.stateAt(0);
});
afterAll(() => world[Symbol.asyncDispose]());

/** Declaration of the development account without hashes and signature. */
function unhashed(fields: Partial<DeclareV3> = {}) {
  const { transaction } = world.declare(0n, CLASS).transaction;
  if (transaction.type !== "DECLARE" || transaction.version !== 3)
    throw new TypeError("no declare");
  const named = { ...transaction, classHash: 0n, signature: [], ...fields };
  return { hash: 0n, transaction: named };
}

/** Error code of a declaration's pre-check; `null` if it passes. */
function codeOf(fields: Partial<DeclareV3> = {}, chargeFee?: boolean, reader = state) {
  const options = chargeFee === undefined ? {} : { chargeFee };
  return preCheckTransaction(reader, block, unhashed(fields), options)?.code ?? null;
}

/** Bounds of {@link unhashed} with other L2 gas bounds. */
const boundsWith = (l2Gas: { readonly maxAmount: bigint; readonly maxPricePerUnit: bigint }) => ({
  resourceBounds: { ...unhashed().transaction.resourceBounds, l2Gas },
});

describe("preCheckTransaction", () => {
  test("accepts a declaration with valid nonce, bounds and balance", () => {
    expect([codeOf(), codeOf({ nonce: 5n })]).toEqual([null, null]);
  });

  test("rejects a used nonce, insufficient bounds or an insufficient balance", () => {
    const later: StateReader = {
      storageAt: (...place) => state.storageAt(...place),
      nonceAt: () => 1n,
      classHashAt: (address) => state.classHashAt(address),
      compiledClassHashOf: (classHash) => state.compiledClassHashOf(classHash),
      executableClass: (classHash) => state.executableClass(classHash),
    };
    const least = boundsWith({ maxAmount: 1n, maxPricePerUnit: 10n ** 6n });
    const most = boundsWith({ maxAmount: 10n ** 18n, maxPricePerUnit: 10n ** 7n });
    expect([codeOf({}, undefined, later), codeOf(least), codeOf(most)]).toEqual([
      "INVALID_NONCE",
      "INSUFFICIENT_BOUNDS",
      "INSUFFICIENT_BALANCE",
    ]);
  });

  test("ignores bounds and balance on a chain without fees", () => {
    const least = boundsWith({ maxAmount: 1n, maxPricePerUnit: 10n ** 6n });
    expect([codeOf(least, false), codeOf({ senderAddress: 0xdeadn }, false)]).toEqual([null, null]);
  });

  test("accepts a bootstrap declaration only on a chain without fees", () => {
    const bootstrap = { senderAddress: feltFromShortString("BOOTSTRAP") };
    expect([codeOf(bootstrap, false), codeOf(bootstrap, true)]).toEqual([
      null,
      "INSUFFICIENT_BALANCE",
    ]);
  });
});
