import { describe, expect, test } from "bun:test";
import type { DeclareV2, InvokeV3 } from "#protocol/chain/index.ts";
import type { AddRefusal } from "#services/admission/mempool/index.ts";
import type { Rejection } from "#engine/execution/index.ts";
import {
  includedRefusal,
  mempoolRefusal,
  refusalOf,
  statelessRefusal,
} from "#services/admission/admission-rules.ts";
import { emptyDeclare, emptyDeployAccount } from "#test/helpers/mempool-world.ts";

const LIMITS = {
  maxCalldataLength: 3,
  chargeFees: true,
  takesFree: false,
  maxFeeTransactions: false,
};
const bound = { maxAmount: 1n, maxPricePerUnit: 1n };
const none = { maxAmount: 0n, maxPricePerUnit: 5n };

const invoke = (fields: Partial<InvokeV3> = {}): InvokeV3 => ({
  type: "INVOKE",
  version: 3,
  signature: [],
  nonce: 0n,
  senderAddress: 1n,
  calldata: [],
  accountDeploymentData: [],
  proofFacts: [],
  resourceBounds: { l1Gas: bound, l2Gas: bound, l1DataGas: bound },
  tip: 0n,
  paymasterData: [],
  nonceDataAvailabilityMode: 0,
  feeDataAvailabilityMode: 0,
  ...fields,
});

describe("stateless checks", () => {
  test("accept an ordinary transaction", () => {
    expect(statelessRefusal(invoke(), LIMITS)).toBeUndefined();
  });

  test("reject bounds that allow no fee, unless fees are off", () => {
    const zero = invoke({ resourceBounds: { l1Gas: none, l2Gas: none, l1DataGas: none } });
    expect(statelessRefusal(zero, LIMITS)?.code).toBe("INSUFFICIENT_RESOURCES_FOR_VALIDATE");
    expect(statelessRefusal(zero, { ...LIMITS, chargeFees: false })).toBeUndefined();
  });

  test("reject versions before 3 with a reason", () => {
    const old = {
      type: "INVOKE",
      version: 1,
      maxFee: 1n,
      signature: [],
      nonce: 0n,
      senderAddress: 1n,
      calldata: [],
    } as const;
    const refusal = statelessRefusal(old, LIMITS);
    expect(refusal?.code).toBe("UNSUPPORTED_TX_VERSION");
    expect(refusal?.reason).toContain("version 1");
  });

  test("reject calldata above the protocol's limit and name both lengths", () => {
    expect(statelessRefusal(invoke({ calldata: [1n, 2n, 3n] }), LIMITS)).toBeUndefined();
    expect(statelessRefusal(invoke({ calldata: [1n, 2n, 3n, 4n] }), LIMITS)).toEqual({
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: "calldata has 4 felts, at most 3 are accepted",
    });
    const deploy = { ...emptyDeployAccount(1n), constructorCalldata: [1n, 2n, 3n] };
    expect(statelessRefusal(deploy, LIMITS)).toBeUndefined();
    const long = { ...deploy, constructorCalldata: [1n, 2n, 3n, 4n] };
    expect(statelessRefusal(long, LIMITS)?.code).toBe("UNEXPECTED_ERROR");
  });

  test("reject more than 4000 signature felts and name both lengths", () => {
    const signature = new Array<bigint>(4000).fill(1n);
    expect(statelessRefusal(invoke({ signature }), LIMITS)).toBeUndefined();
    expect(statelessRefusal(invoke({ signature: [...signature, 1n] }), LIMITS)).toEqual({
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: "the signature has 4001 felts, at most 4000 are accepted",
    });
  });

  test.each(["l1Gas", "l2Gas", "l1DataGas"] as const)("accept a bound on %s alone", (gas) => {
    const bounds = { l1Gas: none, l2Gas: none, l1DataGas: none, [gas]: bound };
    expect(statelessRefusal(invoke({ resourceBounds: bounds }), LIMITS)).toBeUndefined();
  });

  test("ignore a missing bound", () => {
    const bounds = { l1Gas: none, l2Gas: none, l1DataGas: null };
    expect(statelessRefusal(invoke({ resourceBounds: bounds }), LIMITS)?.code).toBe(
      "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
    );
  });

  test("reject a deployment whose nonce is not 0 and name the nonce", () => {
    expect(statelessRefusal(emptyDeployAccount(1n, 2n), LIMITS)).toEqual({
      kind: "rejected",
      code: "INVALID_TRANSACTION_NONCE",
      reason: "a deploy account transaction must have nonce 0, this one has 2",
    });
    expect(statelessRefusal(emptyDeployAccount(1n), LIMITS)).toBeUndefined();
    expect(statelessRefusal(invoke({ nonce: 2n }), LIMITS)).toBeUndefined();
  });

  test.each([
    [{ nonceDataAvailabilityMode: 1 }, "UNEXPECTED_ERROR"],
    [{ feeDataAvailabilityMode: 1 }, "UNEXPECTED_ERROR"],
    [{ paymasterData: [1n] }, "UNEXPECTED_ERROR"],
    [{ accountDeploymentData: [1n] }, "UNEXPECTED_ERROR"],
    [{ proofFacts: [1n] }, "INVALID_PROOF"],
  ] as const)("reject fields that the protocol reserves: %p", (fields, code) => {
    expect(statelessRefusal(invoke(fields), LIMITS)).toMatchObject({ kind: "rejected", code });
  });
});

describe("stateless checks of a declaration", () => {
  const OLD_CHAIN = { ...LIMITS, maxFeeTransactions: true };
  const v3 = emptyDeclare(1n, 0n);
  const v2: DeclareV2 = {
    type: "DECLARE",
    version: 2,
    maxFee: 1n,
    signature: [],
    nonce: 0n,
    senderAddress: 1n,
    classHash: 2n,
    compiledClassHash: 3n,
  };

  test.each([LIMITS, OLD_CHAIN])("accept version 3 on every chain", (limits) => {
    expect(statelessRefusal(v3, limits)).toBeUndefined();
  });

  test("accept version 2 only where the protocol has maximum fees", () => {
    expect(statelessRefusal(v2, OLD_CHAIN)).toBeUndefined();
    expect(statelessRefusal(v2, LIMITS)).toEqual({
      kind: "rejected",
      code: "UNSUPPORTED_TX_VERSION",
      reason: "version 2 is not accepted: send version 3",
    });
  });

  test("accept version 1 of Cairo 0 classes only with maximum fees, and version 0 nowhere", () => {
    const { compiledClassHash: _, ...fields } = v2;
    const { nonce: __, ...withoutNonce } = fields;
    const first = { ...fields, version: 1 } as const;
    expect(statelessRefusal(first, OLD_CHAIN)).toBeUndefined();
    expect(statelessRefusal(first, LIMITS)?.code).toBe("UNSUPPORTED_TX_VERSION");
    const none = { ...withoutNonce, version: 0 } as const;
    expect(statelessRefusal(none, OLD_CHAIN)?.code).toBe("UNSUPPORTED_TX_VERSION");
  });

  test("reject a maximum fee of zero, unless fees are off", () => {
    expect(statelessRefusal({ ...v2, maxFee: 0n }, OLD_CHAIN)).toEqual({
      kind: "rejected",
      code: "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
      reason: "max_fee is zero: it must allow a fee",
    });
    const free = { ...OLD_CHAIN, chargeFees: false };
    expect(statelessRefusal({ ...v2, maxFee: 0n }, free)).toBeUndefined();
  });

  test("reject bounds that allow no fee, unless fees are off", () => {
    const zero = { ...v3, resourceBounds: { l1Gas: none, l2Gas: none, l1DataGas: none } };
    expect(statelessRefusal(zero, LIMITS)?.code).toBe("INSUFFICIENT_RESOURCES_FOR_VALIDATE");
    expect(statelessRefusal(zero, { ...LIMITS, chargeFees: false })).toBeUndefined();
  });

  test.each([
    { nonceDataAvailabilityMode: 1 },
    { feeDataAvailabilityMode: 1 },
    { paymasterData: [1n] },
    { accountDeploymentData: [1n] },
  ] as const)("reject fields that the protocol reserves: %p", (fields) => {
    expect(statelessRefusal({ ...v3, ...fields }, LIMITS)).toMatchObject({
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
    });
  });

  test.each([v2, v3])("reject a signature that is too long, in every version", (declare) => {
    const signature = new Array<bigint>(4000).fill(1n);
    expect(statelessRefusal({ ...declare, signature }, OLD_CHAIN)).toBeUndefined();
    const longer = { ...declare, signature: [...signature, 1n] };
    expect(statelessRefusal(longer, OLD_CHAIN)?.code).toBe("UNEXPECTED_ERROR");
  });
});

/** Error of the write methods in the public OpenRPC, by validation error code. */
const VALIDATION_CODES = {
  INVALID_NONCE: "INVALID_TRANSACTION_NONCE",
  INSUFFICIENT_BOUNDS: "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
  FEE_CHECK_FAILED: "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
  INSUFFICIENT_BALANCE: "INSUFFICIENT_ACCOUNT_BALANCE",
  VALIDATION_FAILED: "VALIDATION_FAILURE",
  CONSTRUCTOR_FAILED: "VALIDATION_FAILURE",
  FEE_TRANSFER_FAILED: "VALIDATION_FAILURE",
  NOT_AN_ACCOUNT: "NON_ACCOUNT",
  CLASS_NOT_FOUND: "CLASS_HASH_NOT_FOUND",
  CLASS_ALREADY_DECLARED: "CLASS_ALREADY_DECLARED",
  COMPILED_CLASS_HASH_MISMATCH: "COMPILED_CLASS_HASH_MISMATCH",
  INVALID_VERSION: "UNSUPPORTED_TX_VERSION",
  OUT_OF_MEMORY: "UNEXPECTED_ERROR",
  TOO_LARGE: "UNEXPECTED_ERROR",
  UNSUPPORTED: "UNEXPECTED_ERROR",
} as const satisfies Readonly<Record<Rejection["code"], string>>;

/** Error code and expected part of the reason, by mempool refusal. */
const MEMPOOL_CODES: readonly (readonly [AddRefusal, string, string])[] = [
  [{ kind: "duplicate" }, "DUPLICATE_TX", "already in the mempool"],
  [{ kind: "nonce_too_low", expected: 8n }, "INVALID_TRANSACTION_NONCE", "nonce is 8"],
  [{ kind: "nonce_too_high", highest: 8n }, "INVALID_TRANSACTION_NONCE", "at most nonce 8"],
  [{ kind: "future_declare", expected: 8n }, "INVALID_TRANSACTION_NONCE", "next nonce 8"],
  [
    { kind: "underpriced", required: { tip: 8n, maxL2GasPrice: 9n } },
    "REPLACEMENT_TRANSACTION_UNDERPRICED",
    "least 8",
  ],
  [{ kind: "in_flight" }, "INVALID_TRANSACTION_NONCE", "is being executed"],
  [{ kind: "account_full", limit: 8 }, "UNEXPECTED_ERROR", "the account already has 8"],
  [{ kind: "account_bytes_full", limit: 8 }, "UNEXPECTED_ERROR", "limit of 8 bytes"],
  [{ kind: "declares_full", limit: 8 }, "UNEXPECTED_ERROR", "8 declare"],
  [{ kind: "full", limit: 8 }, "UNEXPECTED_ERROR", "holds 8 transactions"],
  [{ kind: "bytes_full", limit: 8 }, "UNEXPECTED_ERROR", "more than 8 bytes"],
];

describe("RPC errors", () => {
  test("contain the engine's message as reason", () => {
    const rejection = { code: "INVALID_NONCE", kind: "x", message: "expected 4" } as const;
    expect(refusalOf(rejection)).toEqual({
      kind: "rejected",
      code: "INVALID_TRANSACTION_NONCE",
      reason: "expected 4",
    });
  });

  test("name the tip that replaces a pending transaction", () => {
    const refusal = mempoolRefusal(
      { kind: "underpriced", required: { tip: 11n, maxL2GasPrice: 0n } },
      3n,
    );
    expect(refusal?.code).toBe("REPLACEMENT_TRANSACTION_UNDERPRICED");
    expect(refusal?.reason).toContain("11");
  });

  test.each(Object.entries(VALIDATION_CODES))("of validation: %s becomes %s", (code, wire) => {
    const rejection = { code, kind: "x", message: "why" } as Rejection;
    expect(refusalOf(rejection)).toEqual({ kind: "rejected", code: wire, reason: "why" });
  });

  test.each(MEMPOOL_CODES)("of the mempool: %p becomes %s", (outcome, code, reason) => {
    const refusal = mempoolRefusal(outcome, 3n);
    expect(refusal).toMatchObject({ kind: "rejected", code });
    expect(refusal.reason).toContain(reason);
  });

  test.each([
    [true, "the transaction is already in block 4"],
    [false, "the transaction is already in block 4, which is being built"],
  ])("name the block of a transaction (accepted: %p)", (isAccepted, reason) => {
    expect(includedRefusal(4, isAccepted)).toEqual({
      kind: "rejected",
      code: "DUPLICATE_TX",
      reason,
    });
  });
});
