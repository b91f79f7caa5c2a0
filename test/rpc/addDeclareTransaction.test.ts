import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { DECLARE, QUERY_VERSION } from "#test/helpers/broadcasted.ts";
import { errorOf, resultOf, specTest, VERSIONS } from "#test/helpers/rpc.ts";
import { errorObject, testBadParams } from "./common.ts";
import { accepting, rejecting, testWriteErrors } from "./write-common.ts";

const METHOD = "addDeclareTransaction";
const PARAMS = { declare_transaction: DECLARE };
const HASHES = { transactionHash: 0x7a5bn, classHash: 0xc1a55n };

/** Declaration as clients of older specifications send it. */
const DECLARE_V2 = {
  type: "DECLARE",
  version: "0x2",
  max_fee: "0xfee",
  signature: ["0x3", "0x4"],
  nonce: "0x5",
  sender_address: "0xc0",
  compiled_class_hash: "0xca5",
  contract_class: DECLARE.contract_class,
} as const;

const CONTRACT_CLASS = {
  kind: "sierra",
  sierraProgram: [1n],
  contractClassVersion: "0.1.0",
  entryPoints: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
  abi: "[]",
};

/** Declaration with some members of its class replaced. */
const withClass = (members: Readonly<Record<string, JsonValue>>): JsonValue => ({
  declare_transaction: { ...DECLARE, contract_class: { ...DECLARE.contract_class, ...members } },
});

test("returns the hashes of the accepted transaction and its class", async () => {
  expect(await resultOf(METHOD, PARAMS, accepting(HASHES).context)).toEqual({
    transaction_hash: "0x7a5b",
    class_hash: "0xc1a55",
  });
});

test("ignores an empty proof, which some libraries send with every transaction", async () => {
  const params = { declare_transaction: { ...DECLARE, proof: "" } };
  const { context } = accepting(HASHES);
  for (const version of VERSIONS) {
    expect(await resultOf(METHOD, params, context, version)).toHaveProperty("class_hash");
  }
});

describe("submitted declaration", () => {
  test("has the transaction as sent and its class, and goes only to `declare`", async () => {
    const { context, declared, submitted } = accepting(HASHES);
    await resultOf(METHOD, [DECLARE], context);
    expect(submitted).toEqual([]);
    expect(declared as readonly unknown[]).toMatchObject([
      {
        transaction: {
          type: "DECLARE",
          version: 3,
          senderAddress: 0xc0n,
          compiledClassHash: 0xca5n,
          signature: [3n, 4n],
          nonce: 5n,
          resourceBounds: {
            l1Gas: { maxAmount: 6n, maxPricePerUnit: 7n },
            l1DataGas: { maxAmount: 8n, maxPricePerUnit: 9n },
            l2Gas: { maxAmount: 10n, maxPricePerUnit: 11n },
          },
          tip: 12n,
          paymasterData: [],
          accountDeploymentData: [],
          nonceDataAvailabilityMode: 0,
          feeDataAvailabilityMode: 1,
        },
        contractClass: CONTRACT_CLASS,
      },
    ]);
  });

  test("may be version 2 with a max fee, which the chain decides about", async () => {
    const { context, declared } = accepting(HASHES);
    await resultOf(METHOD, [DECLARE_V2], context);
    expect(declared as readonly unknown[]).toMatchObject([
      {
        transaction: {
          type: "DECLARE",
          version: 2,
          maxFee: 0xfeen,
          signature: [3n, 4n],
          nonce: 5n,
          senderAddress: 0xc0n,
          compiledClassHash: 0xca5n,
        },
        contractClass: CONTRACT_CLASS,
      },
    ]);
  });

  test.each([
    ["a string", "[ ]\u00e9", "[ ]\u00e9"],
    ["null", null, ""],
    ["JSON", [{ type: "function" }], '[{"type": "function"}]'],
  ] as const)("has the class's ABI, sent as %s", async (_, sent, abi) => {
    const { context, declared } = accepting(HASHES);
    await resultOf(METHOD, withClass({ abi: sent as JsonValue }), context);
    expect(declared[0]?.contractClass).toMatchObject({ abi });
  });
});

testWriteErrors(METHOD, PARAMS, [
  "CLASS_ALREADY_DECLARED",
  "COMPILATION_FAILED",
  "COMPILED_CLASS_HASH_MISMATCH",
  "CONTRACT_CLASS_SIZE_IS_TOO_LARGE",
  "DUPLICATE_TX",
  "FEE_BELOW_MINIMUM",
  "INSUFFICIENT_ACCOUNT_BALANCE",
  "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
  "INVALID_TRANSACTION_NONCE",
  "NON_ACCOUNT",
  "REPLACEMENT_TRANSACTION_UNDERPRICED",
  "UNEXPECTED_ERROR",
  "UNSUPPORTED_CONTRACT_CLASS_VERSION",
  "UNSUPPORTED_TX_VERSION",
  "VALIDATION_FAILURE",
]);

test("reports an error that the method does not list as UNEXPECTED_ERROR with its name", async () => {
  expect(await errorOf(METHOD, PARAMS, rejecting("CLASS_HASH_NOT_FOUND"))).toEqual({
    ...errorObject("UNEXPECTED_ERROR"),
    data: "CLASS_HASH_NOT_FOUND: because",
  });
});

describe("UNSUPPORTED_TX_VERSION without a submission", () => {
  test.each(["0x0", "0x4", "0x100000000000000000000000000000004"])(
    "for version %s, whatever else is missing",
    async (version) => {
      const { context, declared } = accepting(HASHES);
      const params = { declare_transaction: { type: "DECLARE", version } };
      expect(await errorOf(METHOD, params, context)).toMatchObject({
        ...errorObject("UNSUPPORTED_TX_VERSION"),
        data: `version ${version}; expected 0x3`,
      });
      expect(declared).toEqual([]);
    },
  );

  test.each([
    ["3", { ...DECLARE, version: QUERY_VERSION }],
    ["2", { ...DECLARE_V2, version: "0x100000000000000000000000000000002" }],
  ])("for the query version of %s", async (_, declare_transaction) => {
    const { context, declared } = accepting(HASHES);
    expect(await errorOf(METHOD, { declare_transaction }, context)).toMatchObject({
      ...errorObject("UNSUPPORTED_TX_VERSION"),
      data: "a query version can only be estimated or simulated",
    });
    expect(declared).toEqual([]);
  });
});

testBadParams(METHOD, { transaction: DECLARE }, "declare_transaction");
testBadParams(METHOD, { declare_transaction: "0x1" }, "declare_transaction");
testBadParams(METHOD, [{ ...DECLARE, type: "INVOKE" }], "declare_transaction.type");
testBadParams(
  METHOD,
  { declare_transaction: { ...DECLARE, compiled_class_hash: "ca5" } },
  "declare_transaction.compiled_class_hash",
);
testBadParams(
  METHOD,
  { declare_transaction: { ...DECLARE, resource_bounds: { l1_gas: {} } } },
  "declare_transaction.resource_bounds.l1_gas.max_amount",
);
testBadParams(
  METHOD,
  { declare_transaction: { ...DECLARE, contract_class: { sierra_program: [] } } },
  "declare_transaction.contract_class.contract_class_version",
);
testBadParams(
  METHOD,
  withClass({ sierra_program: ["0x1", "1"] }),
  "declare_transaction.contract_class.sierra_program[1]",
);
testBadParams(
  METHOD,
  withClass({ entry_points_by_type: { CONSTRUCTOR: [], L1_HANDLER: [] } }),
  "declare_transaction.contract_class.entry_points_by_type.EXTERNAL",
);
testBadParams(METHOD, withClass({ abi: 7 }), "declare_transaction.contract_class.abi");
testBadParams(
  METHOD,
  { declare_transaction: { ...DECLARE, version: "0x2" } },
  "declare_transaction.max_fee",
);

test.each([
  ["an ABI that is not valid Unicode", "contract_class.abi", withClass({ abi: "[\ud83e]" })],
  [
    "a max fee of more than 128 bits",
    "max_fee",
    { declare_transaction: { ...DECLARE_V2, max_fee: "0x100000000000000000000000000000000" } },
  ],
] as const)("rejects %s with its path", async (_, path, params) => {
  expect(await errorOf(METHOD, params)).toMatchObject({
    code: -32602,
    data: { path: `declare_transaction.${path}` },
  });
});

specTest(METHOD, [
  [PARAMS, accepting(HASHES).context],
  [{ declare_transaction: { ...DECLARE_V2, version: "0x4" } }],
  [PARAMS, rejecting("COMPILATION_FAILED")],
  [PARAMS, rejecting("UNSUPPORTED_CONTRACT_CLASS_VERSION")],
]);
