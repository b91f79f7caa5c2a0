import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import {
  encodeContractClass,
  type PackedSierraClass,
  type SierraClass,
} from "#protocol/chain/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { DeclareWorld, renamedClass } from "#test/helpers/declare-world.ts";
import { changedState, type PreparedOn, prepareOn } from "#test/helpers/prepared.ts";

const CLASS = renamedClass("account", "[]");
const SIERRA = CLASS.contractClass as SierraClass;

let world: DeclareWorld;

beforeAll(async () => {
  world = await DeclareWorld.create("0.14.4");
});
afterAll(() => world[Symbol.asyncDispose]());

function packed(program: string, changed: Partial<PackedSierraClass> = {}): PackedSierraClass {
  const { kind: _kind, sierraProgram: _program, ...rest } = SIERRA;
  const text = gzipSync(program).toString("base64");
  return { ...rest, kind: "packed-sierra", program: text, ...changed };
}

const listed = (felts: readonly bigint[]): string => JSON.stringify(felts.map(hexFromFelt));

/** Prepares a declaration that is signed for {@link CLASS}. */
function prepare(contractClass: PackedSierraClass | SierraClass, parts: PreparedOn = {}) {
  const { transaction: signed } = world.declare(0n, CLASS).transaction;
  if (signed.type !== "DECLARE" || signed.version !== 3) throw new TypeError("no declare");
  const { classHash: _unknown, ...transaction } = signed;
  return prepareOn(world, { transaction, contractClass }, parts).prepared;
}

describe("a declaration of a packed Sierra class", () => {
  test("is prepared like that of the unpacked class, and returns that for the store", () => {
    const plain = prepare(SIERRA);
    expect(plain.kind).toBe("prepared");
    expect(prepare(packed(listed(SIERRA.sierraProgram)))).toEqual({
      ...plain,
      unpacked: encodeContractClass(SIERRA),
    } as typeof plain);
  });

  test("is rejected for its nonce before it is unpacked", () => {
    const state = changedState(world, { nonceAt: () => 1n });
    expect(prepare(packed("no list"), { state })).toMatchObject({
      code: "INVALID_TRANSACTION_NONCE",
    });
  });

  test.each([
    ["COMPILATION_FAILED", packed("no list")],
    ["COMPILATION_FAILED", packed("[]", { program: "?" })],
    ["UNSUPPORTED_CONTRACT_CLASS_VERSION", packed("[]", { contractClassVersion: "0.2.0" })],
    ["CONTRACT_CLASS_SIZE_IS_TOO_LARGE", packed(listed(Array<bigint>(81_921).fill(1n)))],
    ["CONTRACT_CLASS_SIZE_IS_TOO_LARGE", packed(" ".repeat(8_178_893))],
    ["CONTRACT_CLASS_SIZE_IS_TOO_LARGE", packed("[]", { abi: "x".repeat(4_089_447) })],
  ] as const)("is rejected with %s before it is hashed", (code, contractClass) => {
    let asked = 0;
    const isStopped = (): boolean => ++asked < 0;
    expect(prepare(contractClass, { isStopped })).toMatchObject({ kind: "rejected", code });
    expect(asked).toBe(0);
  });
});
