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
const sent = (program: string, abi: unknown = []) => ({
  program,
  entry_points_by_type: ENTRY_POINTS,
  abi,
});
/** A class that was sent, unpacked. */
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

describe("a Cairo 0 class as it is sent", () => {
  test("becomes the compiler's file, its program text unchanged", () => {
    const { json } = unpacked(sent(packed(PROGRAM)));
    expect(json).toEndWith(`"program":${PROGRAM}}`);
    expect(JSON.parse(json)).toEqual({
      abi: [],
      entry_points_by_type: ENTRY_POINTS,
      program: JSON.parse(PROGRAM),
    });
  });

  test("comes back as it was sent", () => {
    const request = sent(packed(PROGRAM), [{ name: "f", type: "function", inputs: [] }]);
    const answer = encodeContractClass(unpacked(request)) as typeof request;
    expect({ ...answer, program: "" }).toEqual({ ...request, program: "" });
    expect(Bun.gunzipSync(Buffer.from(answer.program, "base64"))).toEqual(
      new Uint8Array(Buffer.from(PROGRAM)),
    );
  });

  test("has another hash without its ABI", () => {
    const abi = [{ inputs: [], name: "f", outputs: [], type: "function" }];
    const [with_, without] = [abi, []].map((each) =>
      legacyClassHash(unpacked(sent(packed(PROGRAM), each))),
    );
    expect(with_).not.toBe(without);
  });

  test.each([
    ["no base64", "?"],
    ["no gzip", Buffer.from(PROGRAM).toString("base64")],
    ["half of it", packed(PROGRAM).slice(0, 40)],
    ["no UTF-8", packed(Uint8Array.of(255, 254))],
    ["no JSON", packed("{")],
    ["no object", packed("[]")],
    ["more than an object", packed(`{},"abi":[]`)],
    ["too deep", packed("[".repeat(1000))],
  ])("is refused when its program is %s", (_, program) => {
    expect(refusal(sent(program))).toContain("program: expected");
  });

  test.each([
    ["unpacked", packed(new Uint8Array(21 << 20))],
    ["packed", "A".repeat((1 << 20) + 1)],
  ])("is not unpacked when its program is too long %s", (_, program) => {
    expect(refusal(sent(program))).toBe("too large");
  });

  test("is refused without entry points", () => {
    expect(refusal({ program: packed(PROGRAM) })).toContain("contract_class.entry_points_by_type");
  });
});
