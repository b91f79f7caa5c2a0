import { expect, test } from "bun:test";
import { decodeKey, encodeKey } from "#app/node/storage/folder/key-text.ts";

const KEY = 0x1c9053c053edf324aec366a34c6901b1095b07af69495bffec7d7fe21effb1bn;

test("a key round-trips through its text", () => {
  for (const privateKey of [1n, KEY])
    expect(decodeKey(encodeKey(privateKey))).toEqual({ privateKey });
});

test("rejects a truncated key", () => {
  const text = encodeKey(KEY);
  for (let length = 0; length < text.length; length++) {
    expect([length, decodeKey(text.slice(0, length))]).toEqual([
      length,
      { fault: expect.any(String) },
    ]);
  }
});

test("rejects a key with one changed character", () => {
  const text = encodeKey(KEY);
  for (let at = 0; at < text.length; at++) {
    const changed = text.slice(0, at) + (text[at] === "1" ? "2" : "1") + text.slice(at + 1);
    expect([at, decodeKey(changed)]).toEqual([at, { fault: expect.any(String) }]);
  }
});

test.each(["0x1234", "0x1234\n", " 0x1234 \n"])("reads a bare key (%j)", (text) => {
  expect(decodeKey(text)).toEqual({ privateKey: 0x1234n });
});
