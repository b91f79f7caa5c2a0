import { describe, expect, test } from "bun:test";
import {
  casmClassCodec,
  casmHashFunctionOf,
  pythonicJson,
  sierraClassCodec,
  sierraClassFromJson,
} from "#protocol/chain/index.ts";
import { parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";

const SIERRA = {
  sierra_program: ["0x1", "0x2"],
  contract_class_version: "0.1.0",
  entry_points_by_type: {
    CONSTRUCTOR: [],
    EXTERNAL: [{ selector: "0x5", function_idx: 3 }],
    L1_HANDLER: [],
  },
  abi: '[{"type": "function"}]',
};

const CASM = {
  prime: "0x800000000000011000000000000000000000000000000000000000000000001",
  compiler_version: "2.6.0",
  bytecode: ["0x1", "0x2", "0x3"],
  bytecode_segment_lengths: [1, [1, 1]],
  hints: [[1, [{ TestLessThan: { lhs: 1 } }]]],
  entry_points_by_type: {
    EXTERNAL: [{ selector: "0x5", offset: 2, builtins: ["range_check"] }],
    L1_HANDLER: [],
    CONSTRUCTOR: [],
  },
};

/** Path of the DecodeError that `decode` throws. */
function errorPath(decode: () => unknown): string {
  try {
    decode();
  } catch (error) {
    if (error instanceof DecodeError) return error.path;
    throw error;
  }
  return "none";
}

describe("sierraClassCodec", () => {
  test("encodes what it decoded", () => {
    expect(sierraClassCodec.encode(sierraClassCodec.decode(SIERRA, ""))).toEqual(SIERRA);
  });
  test("keeps the text of an ABI unchanged", () => {
    const abi = '[ {"a":1 , "\\u00e9":"é"}]';
    expect(sierraClassCodec.decode({ ...SIERRA, abi }, "").abi).toBe(abi);
  });
  test("encodes an ABI given as JSON with Python's separators", () => {
    const abi = [{ type: "struct", members: [], name: "a, b: c" }];
    expect(sierraClassCodec.decode({ ...SIERRA, abi }, "").abi).toBe(
      '[{"type": "struct", "members": [], "name": "a, b: c"}]',
    );
  });
  for (const abi of [null, undefined]) {
    test(`accepts ${abi} as an empty ABI`, () => {
      expect(sierraClassCodec.decode({ ...SIERRA, abi }, "").abi).toBe("");
    });
  }
  for (const [path, change] of [
    ["sierra_program[1]", { sierra_program: ["0x1", "2"] }],
    ["sierra_program", { sierra_program: "H4sI" }],
    ["contract_class_version", { contract_class_version: "0.1.0-much-too-long" }],
    [
      "entry_points_by_type.L1_HANDLER",
      { entry_points_by_type: { CONSTRUCTOR: [], EXTERNAL: [] } },
    ],
    [
      "entry_points_by_type.EXTERNAL[0].function_idx",
      {
        entry_points_by_type: {
          ...SIERRA.entry_points_by_type,
          EXTERNAL: [{ selector: "0x1", function_idx: -1 }],
        },
      },
    ],
    ["abi", { abi: 5 }],
  ] as const) {
    test(`names an invalid ${path}`, () => {
      expect(errorPath(() => sierraClassCodec.decode({ ...SIERRA, ...change }, ""))).toBe(path);
    });
  }
  test("rejects text that is not JSON", () => {
    expect(() => sierraClassFromJson("{")).toThrow(DecodeError);
  });
});

describe("casmClassCodec", () => {
  test("encodes what it decoded", () => {
    expect(casmClassCodec.encode(casmClassCodec.decode(CASM, ""))).toEqual(CASM);
  });
  test("maps hints by program counter", () => {
    expect(casmClassCodec.decode(CASM, "").hints.get(1)).toEqual([{ TestLessThan: { lhs: 1 } }]);
  });
  test("accepts classes of old compilers without segments", () => {
    const { bytecode_segment_lengths: _, ...old } = CASM;
    expect(casmClassCodec.decode(old, "").bytecodeSegmentLengths).toBeNull();
  });
  for (const [path, change] of [
    ["prime", { prime: "0x7" }],
    ["bytecode[2]", { bytecode: ["0x1", "0x2", CASM.prime] }],
    ["bytecode_segment_lengths", { bytecode_segment_lengths: [1, 1] }],
    ["bytecode_segment_lengths[1][0]", { bytecode_segment_lengths: [1, [-1, 3]] }],
    ["hints[0][0]", { hints: [[3, []]] }],
    [
      "hints[1][0]",
      {
        hints: [
          [1, []],
          [1, []],
        ],
      },
    ],
    [
      "entry_points_by_type.EXTERNAL[0].offset",
      {
        entry_points_by_type: {
          ...CASM.entry_points_by_type,
          EXTERNAL: [{ selector: "0x5", offset: 3, builtins: [] }],
        },
      },
    ],
    [
      "entry_points_by_type.EXTERNAL[0].builtins[0]",
      {
        entry_points_by_type: {
          ...CASM.entry_points_by_type,
          EXTERNAL: [{ selector: "0x5", offset: 0, builtins: ["gas"] }],
        },
      },
    ],
  ] as const) {
    test(`names an invalid ${path}`, () => {
      expect(errorPath(() => casmClassCodec.decode({ ...CASM, ...change }, ""))).toBe(path);
    });
  }
});

describe("pythonicJson", () => {
  test("formats like json.dumps and keeps all digits", () => {
    const value = parseJson('{"a":[1,true,null,"x\\n"],"b":{},"c":123456789012345678901}');
    expect(pythonicJson(value)).toBe(
      '{"a": [1, true, null, "x\\n"], "b": {}, "c": 123456789012345678901}',
    );
  });
});

test("casmHashFunctionOf uses Blake from 0.14.1 on", () => {
  expect(["0.14.0", "0.14.1"].map(casmHashFunctionOf)).toEqual(["poseidon", "blake"]);
});
