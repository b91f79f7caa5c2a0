import { describe, expect, test } from "bun:test";
import { RPC_ERRORS } from "#api/rpc/index.ts";
import {
  gatewayRefusal,
  type SubmitErrorName,
  submitRefusal,
} from "#services/sync/forwarding/index.ts";

/** Gateway codes by JSON-RPC error code, from Madara's table. */
const TABLE: Readonly<Record<number, readonly string[]>> = {
  20: ["UNINITIALIZED_CONTRACT"],
  21: ["ENTRY_POINT_NOT_FOUND_IN_CONTRACT"],
  28: ["UNDECLARED_CLASS"],
  50: ["INVALID_CONTRACT_CLASS", "INVALID_CONTRACT_DEFINITION", "INVALID_PROGRAM"],
  51: ["CLASS_ALREADY_DECLARED"],
  52: ["INVALID_TRANSACTION_NONCE"],
  53: ["INSUFFICIENT_MAX_FEE"],
  54: ["INSUFFICIENT_ACCOUNT_BALANCE"],
  55: [
    "VALIDATE_FAILURE",
    "INVALID_SIGNATURE",
    "TRANSACTION_FAILED",
    "OUT_OF_RANGE_BLOCK_HASH",
    "OUT_OF_RANGE_TRANSACTION_HASH",
    "OUT_OF_RANGE_CONTRACT_ADDRESS",
    "OUT_OF_RANGE_FEE",
    "UNSUPPORTED_SELECTOR_FOR_FEE",
    "UNAUTHORIZED_ENTRY_POINT_FOR_INVOKE",
  ],
  56: ["COMPILATION_FAILED"],
  57: ["CONTRACT_BYTECODE_SIZE_TOO_LARGE", "CONTRACT_CLASS_OBJECT_SIZE_TOO_LARGE"],
  58: ["NON_PERMITTED_CONTRACT"],
  59: ["DUPLICATED_TRANSACTION"],
  60: ["INVALID_COMPILED_CLASS_HASH"],
  61: ["INVALID_TRANSACTION_VERSION", "DEPRECATED_TRANSACTION"],
  62: ["INVALID_CONTRACT_CLASS_VERSION"],
  63: ["RATE_LIMITED", "TRANSACTION_LIMIT_EXCEEDED"],
  64: ["REPLACEMENT_TRANSACTION_UNDERPRICED"],
  65: ["FEE_BELOW_MINIMUM"],
  69: ["INVALID_PROOF"],
};

/** The newest specification has no INVALID_CONTRACT_CLASS; its code was 50. */
const codeOf = (name: SubmitErrorName): number =>
  name === "INVALID_CONTRACT_CLASS" ? 50 : RPC_ERRORS[name].code;

const ROWS = Object.entries(TABLE).flatMap(([code, names]) =>
  names.map((name) => [name, Number(code)] as const),
);

describe("gateway codes", () => {
  test.each(ROWS)(
    "map %s to error %i with either prefix, and the message to its data",
    (name, rpcCode) => {
      for (const prefix of ["StarknetErrorCode.", "StarkErrorCode."]) {
        const { code, reason } = submitRefusal({ code: prefix + name, message: "why" });
        expect<number>(codeOf(code)).toBe(rpcCode);
        expect(reason).toBe("why");
      }
    },
  );

  test("round-trip every error through a gateway", () => {
    const names = new Set(
      ROWS.map(([name]) => submitRefusal({ code: `StarknetErrorCode.${name}`, message: "" }).code),
    );
    for (const code of names) {
      const refusal = { kind: "rejected", code, reason: `${code} of a test` } as const;
      const told = gatewayRefusal(refusal);
      expect(told.code).toStartWith("StarknetErrorCode.");
      expect(told.retryAfterSeconds).toBeUndefined();
      expect(submitRefusal(told)).toEqual(refusal);
    }
    expect(names.size).toBe(Object.keys(TABLE).length);
  });

  test("are distinct for every error", () => {
    const names = [...Object.keys(RPC_ERRORS), "INVALID_CONTRACT_CLASS"] as SubmitErrorName[];
    const codes = names.flatMap((code) => {
      const told = gatewayRefusal({ code, reason: "" }).code;
      return told.endsWith("undefined") ? [] : [told];
    });
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.length).toBe(Object.keys(TABLE).length);
  });

  test("preserve a busy response", () => {
    const refusal = {
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: "busy",
      retryAfterSeconds: 7,
    } as const;
    const told = gatewayRefusal(refusal);
    expect(told).toEqual({
      code: "StarknetErrorCode.RATE_LIMITED",
      message: "busy",
      retryAfterSeconds: 7,
    });
    expect(submitRefusal(told)).toEqual(refusal);
  });

  test.each([
    "StarknetErrorCode.OF_TOMORROW",
    "StarkErrorCode.MALFORMED_REQUEST",
    "INVALID_TRANSACTION_NONCE",
    "Other.INVALID_TRANSACTION_NONCE",
    "StarknetErrorCode.constructor",
    "",
  ])("map the unknown code %p to an unexpected error that names it", (code) => {
    expect(submitRefusal({ code, message: "why" })).toEqual({
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: `${code}: why`,
    });
  });
});
