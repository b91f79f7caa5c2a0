import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { DecodeError } from "#base/errors/index.ts";
import { legacyClassHash, unpackLegacyClass } from "#protocol/chain/index.ts";
import { legacyClass } from "#api/rpc/spec/v0_10/legacy-class.ts";
import { encodeContractClass } from "#api/rpc/spec/v0_10/contract-class.ts";

const PROGRAM =
  '{"prime":"0x800000000000011000000000000000000000000000000000000000000000001","data":["0x208b7fff7fff7ffe"],"builtins":[],"hints":{},"identifiers":{},"reference_manager":{"references":[]}, "attributes": []}';
const ENTRY_POINTS = {
  CONSTRUCTOR: [],
  EXTERNAL: [{ offset: "0x0", selector: "0x1" }],
  L1_HANDLER: [],
};

const packed = (text: string | Uint8Array): string => gzipSync(text).toString("base64");
const requestOf = (program: string, abi: unknown = []) => ({
  program,
  entry_points_by_type: ENTRY_POINTS,
  abi,
});
/** Unpacked class of a request. */
const unpacked = (value: unknown) => {
  const parsed = unpackLegacyClass(legacyClass.decode(value, ""), 1 << 20);
  if (parsed === undefined) throw new TypeError("too large");
  return parsed.contractClass;
};
const refusal = (value: unknown): string => {
  try {
    const packed = legacyClass.decode(value, "contract_class");
    return unpackLegacyClass(packed, 1 << 20) === undefined ? "too large" : "";
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return error.message;
  }
};

describe("Cairo 0 class in a request", () => {
  test("becomes the compiler's file with an unchanged program text", () => {
    const { json } = unpacked(requestOf(packed(PROGRAM)));
    expect(json).toEndWith(`"program":${PROGRAM}}`);
    expect(JSON.parse(json)).toEqual({
      abi: [],
      entry_points_by_type: ENTRY_POINTS,
      program: JSON.parse(PROGRAM),
    });
  });

  test("round-trips through a response", () => {
    const request = requestOf(packed(PROGRAM), [{ name: "f", type: "function", inputs: [] }]);
    const answer = encodeContractClass(unpacked(request)) as typeof request;
    expect({ ...answer, program: "" }).toEqual({ ...request, program: "" });
    expect(Bun.gunzipSync(Buffer.from(answer.program, "base64"))).toEqual(
      new Uint8Array(Buffer.from(PROGRAM)),
    );
  });

  test("has a different hash without its ABI", () => {
    const abi = [{ inputs: [], name: "f", outputs: [], type: "function" }];
    const [with_, without] = [abi, []].map((each) =>
      legacyClassHash(unpacked(requestOf(packed(PROGRAM), each))),
    );
    expect(with_).not.toBe(without);
  });

  test.each([
    ["not base64", "?"],
    ["not gzip", Buffer.from(PROGRAM).toString("base64")],
    ["truncated", packed(PROGRAM).slice(0, 40)],
    ["not UTF-8", packed(Uint8Array.of(255, 254))],
    ["not JSON", packed("{")],
    ["not an object", packed("[]")],
    ["more than an object", packed(`{},"abi":[]`)],
    ["too deeply nested", packed("[".repeat(1000))],
  ])("is rejected if its program is %s", (_, program) => {
    expect(refusal(requestOf(program))).toContain("program: expected");
  });

  test.each([
    ["when unpacked", packed(new Uint8Array(21 << 20))],
    ["when packed", "A".repeat((1 << 20) + 1)],
  ])("is rejected if its program is too long %s", (_, program) => {
    expect(refusal(requestOf(program))).toBe("too large");
  });

  test("is rejected without entry points", () => {
    expect(refusal({ program: packed(PROGRAM) })).toContain("contract_class.entry_points_by_type");
  });
});
