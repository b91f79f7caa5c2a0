import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ByteReader, ByteWriter } from "#base/codec/binary/index.ts";
import { DecodeError, InvariantError } from "#base/errors/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { feltLists, u256s } from "#test/helpers/arbitraries.ts";
import { codePoints } from "#test/helpers/code-points.ts";
import { assertProperty } from "#test/helpers/property.ts";

function written(write: (writer: ByteWriter) => void): Uint8Array {
  const writer = new ByteWriter();
  write(writer);
  return writer.finish();
}

function hex(write: (writer: ByteWriter) => void): string {
  return written(write).toHex();
}

const reading = (...bytes: number[]) => new ByteReader(Uint8Array.from(bytes));

describe("ByteWriter", () => {
  test("writes integers seven bits per byte, low bits first", () => {
    expect(hex((w) => w.varint(0))).toBe("00");
    expect(hex((w) => w.varint(127))).toBe("7f");
    expect(hex((w) => w.varint(300))).toBe("ac02");
  });

  test("writes unsigned integers after their length without leading zeros", () => {
    expect(hex((w) => w.uint(0n))).toBe("00");
    expect(hex((w) => w.uint(255n))).toBe("01ff");
    expect(hex((w) => w.uint(0x1_0203n))).toBe("03010203");
    expect(hex((w) => w.uint(2n ** 64n - 1n))).toBe("08ffffffffffffffff");
    expect(hex((w) => w.uint(2n ** 64n))).toBe("09010000000000000000");
    expect(hex((w) => w.uint(2n ** 255n))).toBe(`2080${"00".repeat(31)}`);
  });

  test("rejects numbers that it cannot encode", () => {
    expect(() => written((w) => w.varint(-1))).toThrow(InvariantError);
    expect(() => written((w) => w.varint(2 ** 53))).toThrow(InvariantError);
    expect(() => written((w) => w.uint(-1n))).toThrow(InvariantError);
    expect(() => written((w) => w.uint(2n ** 256n))).toThrow(InvariantError);
  });
});

describe("ByteReader reads back", () => {
  test("integers", () => {
    assertProperty(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(new ByteReader(written((w) => w.varint(value))).varint()).toBe(value);
      }),
    );
  });

  test("unsigned integers of up to 256 bits", () => {
    assertProperty(
      fc.property(u256s, fc.nat({ max: 255 }), (value, shift) => {
        const narrow = value >> BigInt(shift);
        expect(new ByteReader(written((w) => w.uint(narrow))).uint(256)).toBe(narrow);
      }),
    );
  });

  test("sequences of felt lists, text, byte strings and optional values", () => {
    const value = fc.tuple(
      feltLists,
      fc.string({ unit: codePoints }),
      fc.uint8Array(),
      fc.option(fc.boolean()),
    );
    assertProperty(
      fc.property(value, ([list, text, bytes, flag]) => {
        const reader = new ByteReader(
          written((w) => {
            w.felts(list);
            w.text(text);
            w.bytes(bytes);
            w.nullable(flag, (v, it) => v.bool(it));
          }),
        );
        expect(reader.felts()).toEqual(list);
        expect(reader.text()).toBe(text);
        expect(reader.bytes()).toEqual(bytes);
        expect(reader.nullable((r) => r.bool())).toBe(flag);
        reader.end();
      }),
    );
  });
});

describe("ByteReader rejects", () => {
  test("integers that are longer than needed", () => {
    expect(() => reading(0x80, 0x00).varint()).toThrow(DecodeError);
  });

  test("integers above 2^53", () => {
    expect(() => reading(...Array<number>(8).fill(0xff), 0x7f).varint()).toThrow(DecodeError);
    expect(() => reading(...Array<number>(7).fill(0xff), 0x1f).varint()).toThrow(DecodeError);
  });

  test("felts with leading zeros", () => {
    expect(() => reading(2, 0, 1).felt()).toThrow(DecodeError);
  });

  test("felts at and above the prime", () => {
    const bytes = written((w) => w.uint(FIELD_PRIME));
    expect(() => new ByteReader(bytes).felt()).toThrow(DecodeError);
  });

  test("amounts with more bits than allowed", () => {
    expect(() => reading(9, 1, 0, 0, 0, 0, 0, 0, 0, 0).uint(64)).toThrow(DecodeError);
  });

  test("more items than the limit, across all lists", () => {
    const bytes = Uint8Array.of(2, 1, 7, 1, 7);
    const lists = (maxItems: number) => () =>
      new ByteReader(bytes, "x", maxItems).array((r) => r.array((each) => each.u8()));
    expect(lists(4)()).toEqual([[7], [7]]);
    expect(lists(3)).toThrow("x[3]: expected no more items than the limit");
    expect(lists(1)).toThrow("x[0]: expected no more items than the limit");
  });

  test("counts above the number of remaining bytes", () => {
    expect(() => reading(0xff, 0xff, 0xff, 0x7f, 0).felts()).toThrow(DecodeError);
  });

  test("booleans other than 0 and 1", () => {
    expect(() => reading(2).bool()).toThrow(DecodeError);
  });

  test("text that is not UTF-8", () => {
    expect(() => reading(1, 0xff).text()).toThrow(DecodeError);
  });

  test("data that is too short or too long", () => {
    expect(() => reading(5, 1, 2).bytes()).toThrow(DecodeError);
    expect(() => reading(0).end()).toThrow(DecodeError);
  });

  test("invalid bytes with their position", () => {
    const reader = new ByteReader(Uint8Array.of(1, 7, 2), "bundle");
    reader.uint(8);
    expect(() => reader.bool()).toThrow("bundle[2]: expected 0 or 1");
  });
});
