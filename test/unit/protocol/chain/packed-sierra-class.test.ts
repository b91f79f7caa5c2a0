import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { text } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import {
  type PackedSierraClass,
  packedSierraClass,
  unpackSierraClass,
} from "#protocol/chain/index.ts";

const MAX_BYTES = 4_096;
const codec = packedSierraClass(text);
const pack = (program: string | Uint8Array): string => gzipSync(program).toString("base64");

const SENT = {
  sierra_program: pack('["0x1", "0x2"]'),
  contract_class_version: "0.1.0",
  entry_points_by_type: {
    CONSTRUCTOR: [],
    EXTERNAL: [{ selector: "0x7", function_idx: 3 }],
    L1_HANDLER: [],
  },
  abi: "[é]",
};
const READ: PackedSierraClass = {
  kind: "packed-sierra",
  program: SENT.sierra_program,
  contractClassVersion: "0.1.0",
  entryPoints: { CONSTRUCTOR: [], EXTERNAL: [{ selector: 7n, functionIdx: 3 }], L1_HANDLER: [] },
  abi: "[é]",
};

describe("packed Sierra class", () => {
  test("is decoded without reading its program", () => {
    expect(codec.decode(SENT, "")).toEqual(READ);
    expect(codec.decode({ ...SENT, sierra_program: "?" }, "")).toEqual({ ...READ, program: "?" });
  });

  test("is unpacked to its program, with all other members unchanged", () => {
    const { kind: _kind, program: _program, ...rest } = READ;
    const whole = { ...rest, kind: "sierra", sierraProgram: [1n, 2n] } as const;
    expect(unpackSierraClass(READ, MAX_BYTES)).toEqual(whole);
  });

  test("is not unpacked beyond the size limit", () => {
    const program = pack(`[${" ".repeat(MAX_BYTES - 2)}]`);
    expect(unpackSierraClass({ ...READ, program }, MAX_BYTES)?.sierraProgram).toEqual([]);
    expect(unpackSierraClass({ ...READ, program }, MAX_BYTES - 1)).toBeUndefined();
    const bomb = pack(new Uint8Array(64 << 20));
    const before = process.memoryUsage().arrayBuffers;
    expect(unpackSierraClass({ ...READ, program: bomb }, 1 << 20)).toBeUndefined();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 << 20);
    const long = "A".repeat(MAX_BYTES + 1);
    expect(unpackSierraClass({ ...READ, program: long }, MAX_BYTES)).toBeUndefined();
  });

  test.each([
    ["not base64", "?"],
    ["not gzip", Buffer.from("[]").toString("base64")],
    ["truncated", pack('["0x1"]').slice(0, 16)],
    ["not UTF-8", pack(Uint8Array.of(0x5b, 0xff, 0x5d))],
    ["not JSON", pack("[")],
    ["not a list", pack("{}")],
    ["a list of lists", pack('[["0x1"]]')],
    ["a list of numbers", pack("[1]")],
    ["a list with an invalid felt", pack('["0x1", "0x"]')],
  ])("is rejected if its program is %s", (_, program) => {
    expect(() => unpackSierraClass({ ...READ, program }, MAX_BYTES)).toThrow(DecodeError);
  });
});
