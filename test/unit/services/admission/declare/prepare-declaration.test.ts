import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { nextBlockInfo } from "#app/node/environment.ts";
import { chainIdFelt, contextFor, statelessLimits } from "#app/node/setup.ts";
import { DecodeError } from "#base/errors/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { ValidationOutcome } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import {
  type BundledClass,
  type DeclareV3,
  type SierraClass,
  sierraClassHash,
  transactionHash,
} from "#protocol/chain/index.ts";
import { encodeDeclaration } from "#services/admission/declare/declaration.ts";
import {
  type PreparationParts,
  prepareDeclaration,
} from "#services/admission/declare/prepare-declaration.ts";
import { decodePrepared } from "#services/admission/declare/prepared-declaration.ts";
import { DeclareWorld, renamedClass } from "#test/helpers/declare-world.ts";

/** Its ABI has more bytes than characters. */
const CLASS = renamedClass("account", '["\u00e9 \u{1f9ea}"]');
const NOW_MS = 4_000_000_000_000;

let world: DeclareWorld;

beforeAll(async () => {
  world = await DeclareWorld.create("0.14.4");
});
afterAll(() => world[Symbol.asyncDispose]());

/** What the signed declaration of a class says. */
function transactionOf(declared: BundledClass, fields: Partial<DeclareV3> = {}): DeclareV3 {
  const { transaction } = world.declare(0n, declared).transaction;
  if (transaction.type !== "DECLARE" || transaction.version !== 3)
    throw new TypeError("no declare");
  return world.signed({ ...transaction, ...fields }).transaction;
}

/** Prepares a declaration; counts how often the state was asked for, and what was noted. */
function prepare(
  { classHash: _unknown, ...transaction }: DeclareV3,
  contractClass = CLASS.contractClass as SierraClass,
  parts: Partial<PreparationParts> & { readonly state?: StateReader } = {},
) {
  const { setup, chain } = world;
  const noted: ValidationOutcome[] = [];
  let looks = 0;
  const bytes = prepareDeclaration(
    {
      vm: createCairoVm(),
      chainId: chainIdFelt(setup.config),
      chargeFees: true,
      limits: statelessLimits(setup),
      pending() {
        looks++;
        return {
          info: nextBlockInfo(setup, chain, NOW_MS),
          state: parts.state ?? chain.stateAt(0),
        };
      },
      contextOf: (info) => contextFor(setup, info),
      impersonates: () => false,
      noted(outcome) {
        noted.push(outcome);
        return outcome;
      },
      ...parts,
    },
    encodeDeclaration({ transaction, contractClass }),
  );
  return { prepared: decodePrepared(bytes), looks, noted };
}

describe("a declaration in order", () => {
  test("is given its hash and that of its class, with the lengths that its fee counts", () => {
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

  test("needs no signature of an account that is impersonated", () => {
    const forged = { ...transactionOf(CLASS), signature: [1n, 2n] };
    const contractClass = CLASS.contractClass as SierraClass;
    expect(prepare(forged).prepared).toMatchObject({ code: "VALIDATION_FAILURE" });
    const impersonates = (address: bigint): boolean => address === forged.senderAddress;
    const { prepared } = prepare(forged, contractClass, { impersonates });
    expect(prepared.kind).toBe("prepared");
  });

  const none = { maxAmount: 0n, maxPricePerUnit: 0n };
  const most = { maxAmount: 10n ** 18n, maxPricePerUnit: 10n ** 7n };

  test.each([
    ["no bounds", { l1Gas: none, l2Gas: none, l1DataGas: none }],
    ["bounds above its balance", { l1Gas: most, l2Gas: most, l1DataGas: most }],
  ])("on a chain that takes no fees may have %s", (_, resourceBounds) => {
    const transaction = transactionOf(CLASS, { resourceBounds });
    const limits = { ...statelessLimits(world.setup), chargeFees: false };
    const parts = { chargeFees: false, limits };
    expect(prepare(transaction, undefined, parts).prepared.kind).toBe("prepared");
  });
});

describe("before anything is hashed or run, a declaration is refused", () => {
  test("for what is wrong with its transaction", () => {
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

describe("before its class is hashed, a declaration is refused", () => {
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

  test("for a nonce that is used", () => {
    const state = changedState({ nonceAt: () => 1n });
    const { prepared, noted } = prepare(transactionOf(CLASS), undefined, { state });
    expect([prepared, noted]).toMatchObject([
      { kind: "rejected", code: "INVALID_TRANSACTION_NONCE" },
      [],
    ]);
  });
});

describe("validation refuses a declaration", () => {
  test("that is signed for another class", () => {
    const other = renamedClass("account", "[]");
    const { prepared } = prepare(transactionOf(CLASS), other.contractClass as SierraClass);
    expect(prepared).toMatchObject({ kind: "rejected", code: "VALIDATION_FAILURE" });
  });

  const small = CLASS.contractClass as SierraClass;

  test.each<readonly [string, SierraClass]>([
    ["ABI", { ...small, abi: small.abi.padEnd(small.abi.length + 1000) }],
    ["program", { ...small, sierraProgram: [...small.sierraProgram, 1n, 2n, 3n] }],
  ])("whose bounds do not allow its %s, though not compiled yet", (_, larger) => {
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

  test("of a class that is declared", () => {
    const state = changedState({
      compiledClassHashOf: (classHash) => (classHash === CLASS.classHash ? 1n : 0n),
    });
    expect(prepare(transactionOf(CLASS), undefined, { state }).prepared).toMatchObject({
      kind: "rejected",
      code: "CLASS_ALREADY_DECLARED",
    });
  });

  test("that takes too long, of which whoever began it hears", () => {
    const cancelled = { noted: () => ({ kind: "cancelled" }) as const };
    expect(prepare(transactionOf(CLASS), undefined, cancelled).prepared).toEqual({
      kind: "rejected",
      code: "VALIDATION_FAILURE",
      reason: "the validation of the transaction takes too long for this node",
    });
  });
});

test("bytes that are no declaration are refused", () => {
  const parts = {} as PreparationParts;
  expect(() => prepareDeclaration(parts, Uint8Array.of(1, 2, 3))).toThrow(DecodeError);
});

/** The chain's state with reads of a test. */
function changedState(reads: Partial<StateReader>): StateReader {
  const inner = world.chain.stateAt(0);
  return {
    storageAt: (...place) => inner.storageAt(...place),
    nonceAt: (address) => inner.nonceAt(address),
    classHashAt: (address) => inner.classHashAt(address),
    compiledClassHashOf: (classHash) => inner.compiledClassHashOf(classHash),
    executableClass: (classHash) => inner.executableClass(classHash),
    ...reads,
  };
}
