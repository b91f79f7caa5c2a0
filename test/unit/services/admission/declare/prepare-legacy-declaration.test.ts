import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statelessLimits } from "#app/node/setup/setup.ts";
import { encodeContractClass, legacyClassHash, unpackLegacyClass } from "#protocol/chain/index.ts";
import { DeclareWorld } from "#test/helpers/declare-world.ts";
import { type PackedParts, packedClass } from "#test/helpers/packed-class.ts";
import { changedState, type PreparedOn, prepareOn } from "#test/helpers/prepared.ts";

let world: DeclareWorld;

beforeAll(async () => {
  world = await DeclareWorld.create("0.14.4");
});
afterAll(() => world[Symbol.asyncDispose]());

const STOPPED = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "hashing the class takes too long for this node",
} as const;

describe("a declaration of a Cairo 0 class", () => {
  /** Prepares a declaration on a chain with maximum fees. */
  const prepareOld = (sent: PackedParts, parts: PreparedOn = {}, maxFee = 10n ** 15n) => {
    const transaction = {
      type: "DECLARE",
      version: 1,
      maxFee,
      signature: [1n, 2n],
      nonce: 0n,
      senderAddress: world.account.address,
    } as const;
    const limits = { ...statelessLimits(world.setup), maxFeeTransactions: true };
    const declaration = { transaction, contractClass: packedClass(sent) };
    return prepareOn(world, declaration, { limits, ...parts });
  };

  test("is rejected for an unsupported version before its class is unpacked", () => {
    const limits = statelessLimits(world.setup);
    const { prepared, looks } = prepareOld({ felts: 81_921 }, { limits });
    expect([prepared, looks]).toMatchObject([{ code: "UNSUPPORTED_TX_VERSION" }, 0]);
  });

  test("is rejected for its nonce and balance before its class is unpacked", () => {
    const used = changedState(world, { nonceAt: () => 1n });
    expect(prepareOld({ felts: 81_921 }, { state: used }).prepared).toMatchObject({
      code: "INVALID_TRANSACTION_NONCE",
    });
    expect(prepareOld({ felts: 81_921 }, {}, 10n ** 30n).prepared).toMatchObject({
      code: "INSUFFICIENT_ACCOUNT_BALANCE",
    });
  });

  test.each<readonly [PackedParts, string]>([
    [{ felts: 81_921 }, "the program has 81921 felts, at most 81920 are allowed"],
    [
      { felts: 1, objectBytes: 4_089_447 },
      "the class has more than 4089446 bytes as JSON, at most 4089446 are allowed",
    ],
  ])("is rejected for its size before it is hashed: %o", (sent, reason) => {
    let asked = 0;
    const isStopped = (): boolean => ++asked < 0;
    expect([prepareOld(sent, { isStopped }).prepared, asked]).toEqual([
      { kind: "rejected", code: "CONTRACT_CLASS_SIZE_IS_TOO_LARGE", reason },
      0,
    ]);
  });

  test("is rejected with the text of an unknown hint before it is hashed", () => {
    let asked = 0;
    const isStopped = (): boolean => ++asked > 1;
    const sent = { felts: 3, hints: { 2: "print(1)" } };
    expect(prepareOld(sent, { isStopped }).prepared).toEqual({
      kind: "rejected",
      code: "COMPILATION_FAILED",
      reason:
        "this node cannot execute a part of contract_class: the hint at program counter 2: print(1)",
    });
  });

  test("is hashed at the size limits, then rejected for its wrong signature", () => {
    const { prepared, noted } = prepareOld({ felts: 81_920, objectBytes: 4_089_446 });
    expect([prepared, noted]).toMatchObject([
      { kind: "rejected", code: "VALIDATION_FAILURE" },
      [{ kind: "rejected" }],
    ]);
  });

  test("is returned unpacked if it is valid", () => {
    const sent = { felts: 3 };
    const { prepared } = prepareOld(sent, { isImpersonatedAccount: () => true });
    const { json = "" } = unpackLegacyClass(packedClass(sent), 1 << 20)?.contractClass ?? {};
    expect(prepared).toMatchObject({
      kind: "prepared",
      hashed: { transaction: { classHash: legacyClassHash({ kind: "legacy", json }) } },
      unpacked: encodeContractClass({ kind: "legacy", json }),
    });
  });

  test("stops hashing at every check of the stop flag", () => {
    for (const last of [0, 1, 2, 3, 20]) {
      let asked = 0;
      const isStopped = (): boolean => asked++ === last;
      expect(prepareOld({ felts: 81_920 }, { isStopped }).prepared).toEqual(STOPPED);
      expect(asked).toBe(last + 1);
    }
  });
});
