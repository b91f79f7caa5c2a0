import { expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import type { MessageFeeOutcome } from "#engine/execution/index.ts";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { SHARED, sharedTest } from "#test/helpers/shared.ts";
import { HANDLER, type TraceWorld, traceWorld } from "#test/helpers/trace-world.ts";
import { errorObject, NO_BLOCK, testBadParams, testBlockId } from "./common.ts";
import type { FullContext } from "#test/helpers/serving.ts";

const MESSAGE = {
  from_address: "0xe7",
  to_address: hexFromFelt(HANDLER),
  entry_point_selector: hexFromFelt(selectorFromName("my_l1_handler")),
  payload: ["0xa"],
};
const PARAMS = { message: MESSAGE, block_id: "latest" };
const UNKNOWN = { ...MESSAGE, entry_point_selector: "0x3" };
const NOWHERE = { ...MESSAGE, to_address: "0x99" };

let world: TraceWorld | undefined;

/** Context of a chain with the handler, executed once. */
const theContext = (): FullContext => (world ??= traceWorld()).context;

/** Context whose estimates have this outcome. */
function ending(outcome: MessageFeeOutcome, seen?: (...args: unknown[]) => void): FullContext {
  const tracing: Partial<FullContext["tracing"]> = {
    estimateMessageFee(...args) {
      seen?.(...args);
      return outcome;
    },
  };
  return sampleContext({ tracing: tracing as FullContext["tracing"] });
}

const NO_ENTRY_POINT = "0x454e545259504f494e545f4e4f545f464f554e44 ('ENTRYPOINT_NOT_FOUND')";

const ESTIMATE = {
  gas: { l1Gas: 10n, l1DataGas: 2n, l2Gas: 0n },
  prices: { l1Gas: 3n, l1DataGas: 4n, l2Gas: 5n },
  overallFee: 38n,
  unit: "WEI",
} as const;

const FAILURE = {
  frames: [
    { contractAddress: 1n, classHash: 2n, selector: 3n },
    { contractAddress: 4n, classHash: 5n, selector: 6n },
  ],
  message: "inner",
  text: "outer: inner",
};

sharedTest("estimates in WEI and L1 gas", async () => {
  const estimate = await resultOf("estimateMessageFee", PARAMS, theContext());
  const { l1_gas_consumed, l1_gas_price, l1_data_gas_consumed, l1_data_gas_price, overall_fee } =
    estimate as Record<string, string>;
  expect(estimate).toMatchObject({ unit: "WEI", l2_gas_consumed: "0x0" });
  expect(BigInt(overall_fee ?? 0)).toBe(
    BigInt(l1_gas_consumed ?? 0) * BigInt(l1_gas_price ?? 0) +
      BigInt(l1_data_gas_consumed ?? 0) * BigInt(l1_data_gas_price ?? 0),
  );
  // The message alone costs 14643 gas in the core contract and the proof, for one felt of payload.
  expect(Number(l1_gas_consumed)).toBeGreaterThan(14_643);
});

sharedTest(
  "reports a failing handler as CONTRACT_ERROR with its frames, and as text in 0.7",
  async () => {
    const params = { ...PARAMS, message: UNKNOWN };
    const frame = { contract_address: hexFromFelt(HANDLER), selector: "0x3" };
    for (const version of ["0.10.2", "0.9.0", "0.8.1"]) {
      expect(await errorOf("estimateMessageFee", params, theContext(), version)).toMatchObject({
        ...errorObject("CONTRACT_ERROR"),
        data: { revert_error: { ...frame, error: { ...frame, error: NO_ENTRY_POINT } } },
      });
    }
    expect(await errorOf("estimateMessageFee", params, theContext(), "0.7.1")).toMatchObject({
      data: { revert_error: expect.stringContaining("Transaction execution has failed") },
    });
  },
);

test("nests the frames of a failure", async () => {
  const context = ending({ kind: "failed", failure: FAILURE });
  expect(await errorOf("estimateMessageFee", PARAMS, context)).toEqual({
    ...errorObject("CONTRACT_ERROR"),
    data: {
      revert_error: {
        contract_address: "0x1",
        class_hash: "0x2",
        selector: "0x3",
        error: { contract_address: "0x4", class_hash: "0x5", selector: "0x6", error: "inner" },
      },
    },
  });
  expect(await errorOf("estimateMessageFee", PARAMS, context, "0.7.1")).toMatchObject({
    data: { revert_error: "outer: inner" },
  });
});

sharedTest(
  "responds CONTRACT_NOT_FOUND for an unknown contract, and CONTRACT_ERROR in older versions",
  async () => {
    const params = { ...PARAMS, message: NOWHERE };
    expect(await errorOf("estimateMessageFee", params, theContext())).toMatchObject(
      errorObject("CONTRACT_NOT_FOUND"),
    );
    for (const version of ["0.9.0", "0.8.1", "0.7.1"]) {
      expect(await errorOf("estimateMessageFee", params, theContext(), version)).toMatchObject(
        errorObject("CONTRACT_ERROR"),
      );
    }
  },
);

test("puts the L1 sender before the payload in the handler's calldata", async () => {
  const seen: unknown[][] = [];
  await resultOf(
    "estimateMessageFee",
    PARAMS,
    ending({ kind: "ok", estimate: ESTIMATE }, (...args) => seen.push(args)),
  );
  expect(seen[0]?.[2]).toMatchObject({
    transaction: { contractAddress: HANDLER, calldata: [0xe7n, 0xan], nonce: 0n },
  });
});

test("uses the member names of 0.7", async () => {
  const context = ending({ kind: "ok", estimate: ESTIMATE });
  expect(await resultOf("estimateMessageFee", PARAMS, context, "0.7.1")).toEqual({
    gas_consumed: "0xa",
    gas_price: "0x3",
    data_gas_consumed: "0x2",
    data_gas_price: "0x4",
    overall_fee: "0x26",
    unit: "WEI",
  });
});

test("reports that the execution was stopped", async () => {
  expect(await errorOf("estimateMessageFee", PARAMS, ending({ kind: "cancelled" }))).toMatchObject({
    code: -32603,
    data: expect.stringContaining("was stopped"),
  });
});

testBlockId("estimateMessageFee", { message: MESSAGE });
const { payload: _, ...withoutPayload } = MESSAGE;
testBadParams("estimateMessageFee", { ...PARAMS, message: withoutPayload }, "message.payload");
testBadParams(
  "estimateMessageFee",
  { ...PARAMS, message: { ...MESSAGE, from_address: `0x1${"0".repeat(40)}` } },
  "message.from_address",
);
specTest("estimateMessageFee", [
  [PARAMS, ending({ kind: "ok", estimate: ESTIMATE })],
  [PARAMS, ending({ kind: "failed", failure: FAILURE })],
  [PARAMS, ending({ kind: "failed", failure: "why" })],
  [PARAMS, ending({ kind: "contract_not_found" })],
  ...(SHARED === undefined
    ? []
    : ([
        [PARAMS, theContext()],
        [{ ...PARAMS, message: UNKNOWN }, theContext()],
        [{ ...PARAMS, message: NOWHERE }, theContext()],
      ] as const)),
  [{ ...PARAMS, block_id: NO_BLOCK }],
]);
