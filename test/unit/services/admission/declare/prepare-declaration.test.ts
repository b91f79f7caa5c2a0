import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chainIdFelt, statelessLimits } from "#app/node/setup/setup.ts";
import { DecodeError } from "#base/errors/index.ts";
import {
  type BundledClass,
  type DeclareV3,
  type SierraClass,
  sierraClassHash,
  transactionHash,
} from "#protocol/chain/index.ts";
import {
  type PreparationDeps,
  prepareDeclaration,
} from "#services/admission/declare/prepare-declaration.ts";
import { DeclareWorld, renamedClass } from "#test/helpers/declare-world.ts";
import { changedState, type PreparedOn, prepareOn } from "#test/helpers/prepared.ts";

/** Class whose ABI has more bytes than characters. */
const CLASS = renamedClass("account", '["\u00e9 \u{1f9ea}"]');

let world: DeclareWorld;

beforeAll(async () => {
  world = await DeclareWorld.create("0.14.4");
});
afterAll(() => world[Symbol.asyncDispose]());

/** Signed declaration of a class. */
function transactionOf(declared: BundledClass, fields: Partial<DeclareV3> = {}): DeclareV3 {
  const { transaction } = world.declare(0n, declared).transaction;
  if (transaction.type !== "DECLARE" || transaction.version !== 3)
    throw new TypeError("no declare");
  return world.signed({ ...transaction, ...fields }).transaction;
}

/** Prepares a declaration of a Sierra class. */
function prepare(
  { classHash: _unknown, ...transaction }: DeclareV3,
  contractClass = CLASS.contractClass as SierraClass,
  deps: PreparedOn = {},
) {
  return prepareOn(world, { transaction, contractClass }, deps);
}

describe("a valid declaration", () => {
  test("is returned with its hash, its class's hash and the lengths that its fee depends on", () => {
    const transaction = transactionOf(CLASS);
    const { prepared, noted } = prepare(transaction);
    const { sierraProgram, abi } = CLASS.contractClass as SierraClass;
    expect(prepared).toMatchObject({
      kind: "prepared",
      hashed: { hash: transactionHash(transaction, chainIdFelt(world.setup.config)), transaction },
      sierraProgramLength: sierraProgram.length,
      abiLength: new TextEncoder().encode(abi).length,
    });
    expect(noted).toMatchObject([{ kind: "valid" }]);
  });

  test("gets its hashes without validation if only they are requested", () => {
    const forged = { ...transactionOf(CLASS), signature: [1n, 2n] };
    const contractClass = CLASS.contractClass as SierraClass;
    const { classHash: _unknown, ...transaction } = forged;
    const { prepared, looks } = prepareOn(world, { transaction, contractClass }, {}, true);
    const hash = transactionHash(forged, chainIdFelt(world.setup.config));
    expect([prepared, looks]).toMatchObject([
      { kind: "prepared", hashed: { hash, transaction: forged } },
      0,
    ]);
  });

  test("needs no signature of an impersonated account", () => {
    const forged = { ...transactionOf(CLASS), signature: [1n, 2n] };
    const contractClass = CLASS.contractClass as SierraClass;
    expect(prepare(forged).prepared).toMatchObject({ code: "VALIDATION_FAILURE" });
    const isImpersonatedAccount = (address: bigint): boolean => address === forged.senderAddress;
    const { prepared } = prepare(forged, contractClass, { isImpersonatedAccount });
    expect(prepared.kind).toBe("prepared");
  });

  const none = { maxAmount: 0n, maxPricePerUnit: 0n };
  const most = { maxAmount: 10n ** 18n, maxPricePerUnit: 10n ** 7n };

  test.each([
    ["no bounds", { l1Gas: none, l2Gas: none, l1DataGas: none }],
    ["bounds above its balance", { l1Gas: most, l2Gas: most, l1DataGas: most }],
  ])("may have %s on a chain without fees", (_, resourceBounds) => {
    const transaction = transactionOf(CLASS, { resourceBounds });
    const limits = { ...statelessLimits(world.setup), chargeFees: false };
    const deps = { chargeFees: false, limits };
    expect(prepare(transaction, undefined, deps).prepared.kind).toBe("prepared");
  });
});

describe("a declaration is rejected before any hash or execution", () => {
  test("for an invalid transaction", () => {
    const { prepared, looks } = prepare(transactionOf(CLASS, { paymasterData: [1n] }));
    expect([prepared, looks]).toMatchObject([
      { kind: "rejected", code: "UNEXPECTED_ERROR", reason: "paymaster_data must be empty" },
      0,
    ]);
  });

  test("for the version of its class", () => {
    const contractClass = {
      ...(CLASS.contractClass as SierraClass),
      contractClassVersion: "0.2.0",
    };
    const { prepared, looks } = prepare(transactionOf(CLASS), contractClass);
    expect([prepared, looks]).toEqual([
      {
        kind: "rejected",
        code: "UNSUPPORTED_CONTRACT_CLASS_VERSION",
        reason: "contract_class_version is 0.2.0, expected 0.1.0",
      },
      0,
    ]);
  });

  test("for the size of its class", () => {
    const contractClass = { ...(CLASS.contractClass as SierraClass), abi: "x".repeat(4_089_447) };
    const { prepared, looks } = prepare(transactionOf(CLASS), contractClass);
    expect([prepared, looks]).toMatchObject([
      { kind: "rejected", code: "CONTRACT_CLASS_SIZE_IS_TOO_LARGE" },
      0,
    ]);
  });
});

describe("a declaration is rejected before its class is hashed", () => {
  const plenty = { maxAmount: 10n ** 18n, maxPricePerUnit: 10n ** 7n };
  const least = { maxAmount: 1n, maxPricePerUnit: 10n ** 6n };

  test.each([
    ["balance", plenty, "INSUFFICIENT_ACCOUNT_BALANCE"],
    ["bounds", least, "INSUFFICIENT_RESOURCES_FOR_VALIDATE"],
  ] as const)("for its %s", (_, l2Gas, code) => {
    const { resourceBounds } = transactionOf(CLASS);
    const bounds = { ...resourceBounds, l2Gas };
    const { prepared, noted } = prepare(transactionOf(CLASS, { resourceBounds: bounds }));
    expect([prepared, noted]).toMatchObject([{ kind: "rejected", code }, []]);
  });

  test("for a used nonce", () => {
    const state = changedState(world, { nonceAt: () => 1n });
    const { prepared, noted } = prepare(transactionOf(CLASS), undefined, { state });
    expect([prepared, noted]).toMatchObject([
      { kind: "rejected", code: "INVALID_TRANSACTION_NONCE" },
      [],
    ]);
  });
});

describe("validation rejects a declaration", () => {
  test("signed for another class", () => {
    const other = renamedClass("account", "[]");
    const { prepared } = prepare(transactionOf(CLASS), other.contractClass as SierraClass);
    expect(prepared).toMatchObject({ kind: "rejected", code: "VALIDATION_FAILURE" });
  });

  const small = CLASS.contractClass as SierraClass;

  test.each<readonly [string, SierraClass]>([
    ["ABI", { ...small, abi: small.abi.padEnd(small.abi.length + 1000) }],
    ["program", { ...small, sierraProgram: [...small.sierraProgram, 1n, 2n, 3n] }],
  ])("whose bounds do not cover its %s, even before compilation", (_, larger) => {
    const [valid] = prepare(transactionOf(CLASS)).noted;
    const { resourceBounds } = transactionOf(CLASS);
    const maxAmount = valid?.kind === "valid" ? valid.gas.l2Gas : 0n;
    const bounds = { ...resourceBounds, l2Gas: { ...resourceBounds.l2Gas, maxAmount } };
    const declared = { ...CLASS, contractClass: larger, classHash: sierraClassHash(larger) };
    const declare = (of: BundledClass) => transactionOf(of, { resourceBounds: bounds });
    expect(prepare(declare(CLASS)).prepared.kind).toBe("prepared");
    expect(prepare(declare(declared), larger).prepared).toMatchObject({
      kind: "rejected",
      code: "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
    });
  });

  test("of a class that is already declared", () => {
    const state = changedState(world, {
      compiledClassHashOf: (classHash) => (classHash === CLASS.classHash ? 1n : 0n),
    });
    expect(prepare(transactionOf(CLASS), undefined, { state }).prepared).toMatchObject({
      kind: "rejected",
      code: "CLASS_ALREADY_DECLARED",
    });
  });

  test("cancelled for its duration, with a reason", () => {
    const cancelled = { noted: () => ({ kind: "cancelled" }) as const };
    expect(prepare(transactionOf(CLASS), undefined, cancelled).prepared).toEqual({
      kind: "rejected",
      code: "VALIDATION_FAILURE",
      reason: "the validation of the transaction takes too long for this node",
    });
  });
});

test("hashing a class stops on request, with a reason", () => {
  let asked = 0;
  const isStopped = (): boolean => ++asked > 2;
  const sierraProgram = Array.from({ length: 81_920 }, () => 1n);
  const contractClass = { ...(CLASS.contractClass as SierraClass), sierraProgram };
  const { prepared, noted } = prepare(transactionOf(CLASS), contractClass, { isStopped });
  const reason = "hashing the class takes too long for this node";
  expect([prepared, noted, asked]).toEqual([
    { kind: "rejected", code: "UNEXPECTED_ERROR", reason },
    [],
    3,
  ]);
});

test("bytes that are not a declaration are rejected", () => {
  const deps = {} as PreparationDeps;
  expect(() => prepareDeclaration(deps, Uint8Array.of(1, 2, 3), false)).toThrow(DecodeError);
});
