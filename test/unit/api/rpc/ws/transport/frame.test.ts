import { describe, expect, test } from "bun:test";
import { closePayload, encodeFrame, isCloseCode, OPCODES } from "#api/rpc/ws/transport/frame.ts";

const hello = Buffer.from("Hello");
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe("encodeFrame produces the examples of RFC 6455, section 5.7", () => {
  test("for a text", () => {
    expect(hex(encodeFrame(OPCODES.text, hello))).toBe("810548656c6c6f");
  });

  test("for a ping", () => {
    expect(hex(encodeFrame(OPCODES.ping, hello))).toBe("890548656c6c6f");
  });

  test("for 256 bytes", () => {
    const frame = encodeFrame(OPCODES.binary, new Uint8Array(256));
    expect([hex(frame.subarray(0, 4)), frame.length]).toEqual(["827e0100", 260]);
  });

  test("for 64 KiB", () => {
    const frame = encodeFrame(OPCODES.binary, new Uint8Array(65_536));
    expect([hex(frame.subarray(0, 10)), frame.length]).toEqual(["827f0000000000010000", 65_546]);
  });
});

test("encodeFrame uses longer length formats above 125 and 65 535 bytes", () => {
  const heads = [125, 126, 65_535, 65_536].map((size) =>
    hex(encodeFrame(OPCODES.text, new Uint8Array(size)).subarray(0, 10)).slice(0, 20),
  );
  expect(heads.map((head) => head.slice(2, 8))).toEqual(["7d0000", "7e007e", "7effff", "7f0000"]);
});

test("encodeFrame joins the parts of a payload", () => {
  const frame = encodeFrame(OPCODES.text, Buffer.from("Hel"), Buffer.from(""), Buffer.from("lo"));
  expect(hex(frame)).toBe("810548656c6c6f");
});

test("encodeFrame encodes text as UTF-8, between bytes", () => {
  const frame = encodeFrame(OPCODES.text, "ä", Buffer.from("b"), "€");
  expect(hex(frame)).toBe("8106c3a462e282ac");
});

test("closePayload has the code in network byte order, and a reason truncated to fit", () => {
  expect(hex(closePayload(1000, ""))).toBe("03e8");
  const long = closePayload(1008, "r".repeat(500));
  expect([long.length, Buffer.from(long.subarray(2)).toString()]).toEqual([125, "r".repeat(123)]);
});

test("isCloseCode allows the codes of RFC 6455, section 7.4, and of IANA", () => {
  const allowed = Array.from({ length: 6_000 }, (_, code) => code).filter(isCloseCode);
  expect(allowed.slice(0, 12)).toEqual([
    1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014,
  ]);
  expect([allowed[12], allowed.at(-1), allowed.length]).toEqual([3000, 4999, 2_012]);
});
