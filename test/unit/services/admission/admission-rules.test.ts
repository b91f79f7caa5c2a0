import { describe, expect, test } from "bun:test";
import type { InvokeV3 } from "#protocol/chain/index.ts";
import {
  mempoolRefusal,
  refusalOf,
  statelessRefusal,
} from "#services/admission/admission-rules.ts";

const LIMITS = { maxCalldataLength: 3, chargeFees: true };
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

describe("checks without state", () => {
  test("let an ordinary transaction pass", () => {
    expect(statelessRefusal(invoke(), LIMITS)).toBeUndefined();
  });

  test("refuse bounds that allow no fee, unless fees are off", () => {
    const zero = invoke({ resourceBounds: { l1Gas: none, l2Gas: none, l1DataGas: none } });
    expect(statelessRefusal(zero, LIMITS)?.code).toBe("INSUFFICIENT_RESOURCES_FOR_VALIDATE");
    expect(statelessRefusal(zero, { ...LIMITS, chargeFees: false })).toBeUndefined();
  });

  test("refuse versions before 3 with a reason", () => {
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

  test("refuse calldata above the protocol's limit and tell both lengths", () => {
    const refusal = statelessRefusal(invoke({ calldata: [1n, 2n, 3n, 4n] }), LIMITS);
    expect(refusal?.reason).toContain("4 felts, at most 3");
  });

  test.each([
    { nonceDataAvailabilityMode: 1 as const },
    { feeDataAvailabilityMode: 1 as const },
    { paymasterData: [1n] },
    { accountDeploymentData: [1n] },
    { proofFacts: [1n] },
  ])("refuse what the protocol reserves: %p", (fields) => {
    expect(statelessRefusal(invoke(fields), LIMITS)?.kind).toBe("rejected");
  });
});

describe("errors on the wire", () => {
  test("carry the engine's text as reason", () => {
    const rejection = { code: "INVALID_NONCE", kind: "x", message: "expected 4" } as const;
    expect(refusalOf(rejection)).toEqual({
      kind: "rejected",
      code: "INVALID_TRANSACTION_NONCE",
      reason: "expected 4",
    });
  });

  test("tell which tip replaces a waiting transaction", () => {
    const refusal = mempoolRefusal({ kind: "underpriced", requiredTip: 11n }, 3n);
    expect(refusal?.code).toBe("REPLACEMENT_TRANSACTION_UNDERPRICED");
    expect(refusal?.reason).toContain("11");
  });
});
