import { describe, expect, test } from "bun:test";
import { statelessRefusal } from "#services/admission/admission-rules.ts";

const LIMITS = {
  maxCalldataLength: 3,
  chargeFees: true,
  takesFree: false,
  maxFeeTransactions: false,
};

describe("stateless checks of an invoke or a deployment with a maximum fee", () => {
  const OLD_CHAIN = { ...LIMITS, maxFeeTransactions: true };
  const common = { version: 1, maxFee: 1n, signature: [], nonce: 0n } as const;
  const invokeV1 = { type: "INVOKE", ...common, senderAddress: 1n, calldata: [] } as const;
  const deployV1 = {
    type: "DEPLOY_ACCOUNT",
    ...common,
    contractAddress: 1n,
    classHash: 2n,
    contractAddressSalt: 3n,
    constructorCalldata: [],
  } as const;

  test.each([invokeV1, deployV1])("accept $type where the protocol has maximum fees", (sent) => {
    expect(statelessRefusal(sent, OLD_CHAIN)).toBeUndefined();
    expect(statelessRefusal(sent, LIMITS)?.code).toBe("UNSUPPORTED_TX_VERSION");
  });

  test.each([invokeV1, deployV1])(
    "reject $type with a fee of zero, unless fees are off",
    (sent) => {
      const free = { ...sent, maxFee: 0n };
      expect(statelessRefusal(free, OLD_CHAIN)?.code).toBe("INSUFFICIENT_RESOURCES_FOR_VALIDATE");
      expect(statelessRefusal(free, { ...OLD_CHAIN, chargeFees: false })).toBeUndefined();
    },
  );

  test("reject a deployment whose nonce is not 0", () => {
    expect(statelessRefusal({ ...deployV1, nonce: 2n }, OLD_CHAIN)?.code).toBe(
      "INVALID_TRANSACTION_NONCE",
    );
  });

  test("reject transactions of version 0", () => {
    const signed = { maxFee: 1n, signature: [] } as const;
    const declare = { type: "DECLARE", ...signed, senderAddress: 1n, classHash: 2n } as const;
    const call = { contractAddress: 1n, entryPointSelector: 2n, calldata: [] } as const;
    for (const sent of [
      { type: "INVOKE", version: 0, ...signed, ...call },
      { ...declare, version: 0 },
    ] as const) {
      expect(statelessRefusal(sent, OLD_CHAIN)?.code).toBe("UNSUPPORTED_TX_VERSION");
    }
    const first = { ...declare, version: 1, nonce: 0n } as const;
    expect(statelessRefusal(first, OLD_CHAIN)).toBeUndefined();
  });
});
