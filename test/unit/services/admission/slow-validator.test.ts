import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { nextBlockInfo } from "#app/node/setup/environment.ts";
import { chainIdFelt, contextFor } from "#app/node/setup/setup.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { ValidationOutcome } from "#engine/execution/index.ts";
import {
  type AccountTransaction,
  encodeTransaction,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import { decodeSlowValidation } from "#services/admission/slow-validation.ts";
import {
  type SlowValidationMetadata,
  type SlowValidatorDeps,
  validateSlowly,
} from "#services/admission/slow-validator.ts";
import { DeclareWorld, renamedClass } from "#test/helpers/declare-world.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";

const NOW_MS = 4_000_000_000_000;
const METADATA: SlowValidationMetadata = { isSenderUndeployed: false, codeSize: 0 };

let world: DeclareWorld;
let declaration: AccountTransaction;

beforeAll(async () => {
  world = await DeclareWorld.create("0.14.4");
  ({ transaction: declaration } = world.declare(0n, renamedClass("account", "[]")).transaction);
});
afterAll(() => world[Symbol.asyncDispose]());

/** Verdict of a thread on a transaction, and its journal entries. */
function validate(
  transaction: AccountTransaction,
  metadata: Partial<SlowValidationMetadata> = {},
  deps: Partial<SlowValidatorDeps> = {},
) {
  const { setup, chain } = world;
  const noted: ValidationOutcome[] = [];
  const bytes = validateSlowly(
    {
      vm: createCairoVm(),
      chainId: chainIdFelt(setup.config),
      chargeFees: true,
      pending: () => ({ info: nextBlockInfo(setup, chain, NOW_MS), state: chain.stateAt(0) }),
      contextOf: (info) => contextFor(setup, info),
      isImpersonatedAccount: () => false,
      noted(outcome) {
        noted.push(outcome);
        return outcome;
      },
      ...deps,
    },
    encodeTransaction({ hash: 0n, transaction }),
    { ...METADATA, ...metadata },
  );
  return { validation: decodeSlowValidation(bytes), noted };
}

describe("a transaction validated on another thread", () => {
  test("is hashed there, and its signature is checked", () => {
    const { validation, noted } = validate(declaration);
    expect([validation.kind, noted.map(({ kind }) => kind)]).toEqual(["valid", ["valid"]]);
  });

  test("pays for its code size if it is a declaration", () => {
    const { validation } = validate(declaration, { codeSize: 100_000_000 });
    expect(validation).toMatchObject({
      kind: "refused",
      code: "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
    });
  });

  test("may be an account's first one only while its deployment is pending", () => {
    const invoke = world.signed(emptyInvoke(0xdeadn, 1n)).transaction;
    const free = { chargeFees: false };
    expect(validate(invoke, {}, free).validation.kind).toBe("refused");
    const metadata = { isSenderUndeployed: true };
    expect(validate(invoke, metadata, free).validation.kind).toBe("valid");
    const declare = { ...declaration, senderAddress: 0xdeadn, nonce: 1n };
    expect(validate(declare, metadata, free).validation.kind).toBe("refused");
  });

  test("needs no signature of an impersonated account", () => {
    const forged = { ...declaration, signature: [1n, 2n] };
    expect(validate(forged).validation).toMatchObject({ code: "VALIDATION_FAILURE" });
    const asked: bigint[] = [];
    const isImpersonatedAccount = (address: bigint): boolean => asked.push(address) > 0;
    expect(validate(forged, {}, { isImpersonatedAccount }).validation).toEqual({
      kind: "valid",
      prevalidated: null,
    });
    expect(asked).toEqual([senderAddressOf(declaration)]);
  });

  test("is rejected as too slow if it is cancelled", () => {
    const { validation } = validate(declaration, {}, { noted: () => ({ kind: "cancelled" }) });
    expect(validation).toMatchObject({ kind: "refused", code: "VALIDATION_FAILURE" });
  });
});
