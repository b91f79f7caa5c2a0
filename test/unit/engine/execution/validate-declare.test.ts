import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { nextBlockInfo } from "#app/node/setup/environment.ts";
import { contextFor } from "#app/node/setup/setup.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import {
  type BlockContext,
  BlockExecutor,
  sierraCodeSize,
  validateTransaction,
} from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import {
  type AccountTransaction,
  type DeclareV3,
  executableClassOf,
  type HashedTransaction,
} from "#protocol/chain/index.ts";
import { DeclareWorld, renamedClass } from "#test/helpers/declare-world.ts";
import { encodedClassOf } from "#test/helpers/encoded-class.ts";

const CLASS = renamedClass("account", "[]");
const ENCODED = encodedClassOf(CLASS);
const NOW_MS = 4_000_000_000_000;
const vm = createCairoVm();

let world: DeclareWorld;
let block: BlockContext;
let state: StateReader;

beforeAll(async () => {
  world = await DeclareWorld.create("0.14.4");
  block = contextFor(world.setup, nextBlockInfo(world.setup, world.chain, NOW_MS));
  state = world.chain.stateAt(0);
});
afterAll(() => world[Symbol.asyncDispose]());

/** Declaration signed by the development account, of {@link CLASS} by default. */
function declare(fields: Partial<DeclareV3> = {}): HashedTransaction<DeclareV3> {
  const { transaction } = world.declare(0n, CLASS).transaction;
  if (transaction.type !== "DECLARE" || transaction.version !== 3)
    throw new TypeError("no declare");
  return world.signed({ ...transaction, ...fields });
}

/** Validates a transaction. */
function validate(
  hashed: HashedTransaction<AccountTransaction>,
  codeSize = 0,
  options: { readonly chargeFee?: boolean } = {},
) {
  return validateTransaction(vm, state, block, hashed, { codeSize, ...options });
}

const codeOf = (outcome: ReturnType<typeof validate>) =>
  outcome.kind === "rejected" ? outcome.error.code : outcome.kind;

/** Number of code bytes that a declaration of {@link CLASS} pays for. */
function codeSize(): number {
  const executable = executableClassOf(ENCODED);
  if (executable?.casm == null) throw new TypeError("the class is not compiled");
  const { casm, sierraProgramLength, abiLength } = executable;
  return sierraCodeSize({ bytecodeLength: casm.bytecode.length, sierraProgramLength, abiLength });
}

describe("validateTransaction of a declaration without its class", () => {
  test("accepts a declaration that its account signed", () => {
    expect(validate(declare())).toMatchObject({ kind: "valid", skipped: false });
  });

  test("reports the gas that the declaration costs in a block, given its code size", () => {
    const hashed = declare();
    const outcome = validate(hashed, codeSize());
    const executor = new BlockExecutor(vm, state, block);
    const executed = executor.execute(hashed, {}, executableClassOf(ENCODED));
    if (outcome.kind !== "valid" || executed.kind !== "included") throw new TypeError("not taken");
    expect(outcome.gas).toEqual(executed.info.gas);
  });

  test("accepts a nonce ahead of the account's", () => {
    expect(codeOf(validate(declare({ nonce: 5n })))).toBe("valid");
  });

  test("does not load the class", () => {
    const blind: StateReader = {
      storageAt: (...place) => state.storageAt(...place),
      nonceAt: (address) => state.nonceAt(address),
      classHashAt: (address) => state.classHashAt(address),
      compiledClassHashOf: (classHash) => state.compiledClassHashOf(classHash),
      executableClass(classHash) {
        expect(classHash).not.toBe(CLASS.classHash);
        return state.executableClass(classHash);
      },
    };
    expect(validateTransaction(vm, blind, block, declare()).kind).toBe("valid");
  });
});

describe("validateTransaction rejects a declaration", () => {
  test("of a declared class", () => {
    const accountClass = state.classHashAt(world.account.address);
    const outcome = validate(declare({ classHash: accountClass }));
    expect(outcome).toMatchObject({
      kind: "rejected",
      error: {
        code: "CLASS_ALREADY_DECLARED",
        message: `Class with hash 0x${accountClass.toString(16).padStart(64, "0")} is already declared.`,
      },
    });
  });

  test("with a used nonce", () => {
    const later: StateReader = { ...bound(state), nonceAt: () => 1n };
    const outcome = validateTransaction(vm, later, block, declare());
    expect(codeOf(outcome)).toBe("INVALID_NONCE");
  });

  test("with bounds that do not cover its code", () => {
    const free = validate(declare());
    if (free.kind !== "valid") throw new TypeError("not valid");
    const { resourceBounds } = declare().transaction;
    const enough = { maxAmount: free.gas.l2Gas + 1n, maxPricePerUnit: 10n ** 6n };
    const tight = declare({ resourceBounds: { ...resourceBounds, l2Gas: enough } });
    expect(codeOf(validate(tight))).toBe("valid");
    expect(validate(tight, codeSize())).toMatchObject({
      kind: "rejected",
      error: { code: "FEE_CHECK_FAILED", kind: "FeeCheckError.MaxGasAmountExceeded" },
    });
  });

  test("with bounds below the minimum of a declaration", () => {
    const { resourceBounds } = declare().transaction;
    const least = { maxAmount: 1n, maxPricePerUnit: 10n ** 6n };
    const outcome = validate(declare({ resourceBounds: { ...resourceBounds, l2Gas: least } }));
    expect(codeOf(outcome)).toBe("INSUFFICIENT_BOUNDS");
  });

  test("with bounds above the balance", () => {
    const { resourceBounds } = declare().transaction;
    const most = { maxAmount: 10n ** 18n, maxPricePerUnit: 10n ** 7n };
    const outcome = validate(declare({ resourceBounds: { ...resourceBounds, l2Gas: most } }));
    expect(codeOf(outcome)).toBe("INSUFFICIENT_BALANCE");
  });

  test("with an invalid signature", () => {
    const { hash, transaction } = declare();
    const forged = { hash, transaction: { ...transaction, signature: [1n, 2n] } };
    expect(codeOf(validate(forged))).toBe("VALIDATION_FAILED");
  });

  test("of a sender that is not an account", () => {
    const senderAddress = world.setup.config.nativeFeeTokenAddress;
    const outcome = validate(declare({ senderAddress }), 0, { chargeFee: false });
    expect(codeOf(outcome)).toBe("NOT_AN_ACCOUNT");
  });
});

describe("a chain without fees", () => {
  const free = { chargeFee: false };
  const senderAddress = feltFromShortString("BOOTSTRAP");

  test("accepts an unsigned bootstrap declaration", () => {
    const { hash, transaction } = declare({ senderAddress });
    const unsigned = { hash, transaction: { ...transaction, signature: [] } };
    expect(validate(unsigned, 0, free)).toMatchObject({ kind: "valid", skipped: true });
    expect(codeOf(validate(unsigned, 0, { chargeFee: true }))).toBe("INSUFFICIENT_BALANCE");
  });

  test("rejects a second bootstrap declaration of a class", () => {
    const classHash = state.classHashAt(world.account.address);
    const outcome = validate(declare({ senderAddress, classHash }), 0, free);
    expect(codeOf(outcome)).toBe("CLASS_ALREADY_DECLARED");
  });

  test("validates declarations of all other accounts without requiring bounds", () => {
    const none = { maxAmount: 0n, maxPricePerUnit: 0n };
    const resourceBounds = { l1Gas: none, l2Gas: none, l1DataGas: none };
    const { hash, transaction } = declare({ resourceBounds });
    expect(codeOf(validate({ hash, transaction }, 10_000_000, free))).toBe("valid");
    const forged = { hash, transaction: { ...transaction, signature: [1n, 2n] } };
    expect(codeOf(validate(forged, 0, free))).toBe("VALIDATION_FAILED");
  });
});

/** Reader whose methods are own properties. */
function bound(reader: StateReader): StateReader {
  return {
    storageAt: (...place) => reader.storageAt(...place),
    nonceAt: (address) => reader.nonceAt(address),
    classHashAt: (address) => reader.classHashAt(address),
    compiledClassHashOf: (classHash) => reader.compiledClassHashOf(classHash),
    executableClass: (classHash) => reader.executableClass(classHash),
  };
}
