import { expect, test } from "bun:test";
import fc from "fast-check";
import { DecodeError } from "#base/errors/index.ts";
import { FrameReader, frameOf } from "#app/node/compiler/frames.ts";
import { assertProperty } from "#test/helpers/property.ts";

test("round-trips messages in any chunking", () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 6 });
  const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 });
  assertProperty(
    fc.property(messages, cuts, (sent, sizes) => {
      const stream = Uint8Array.from(sent.flatMap((message) => [...frameOf(message)]));
      const reader = new FrameReader(20);
      const got: Uint8Array[] = [];
      for (let at = 0, i = 0; at < stream.length; i++) {
        const size = sizes[i % sizes.length] ?? 1;
        got.push(...reader.push(stream.subarray(at, at + size)));
        at += size;
      }
      expect(got).toEqual(sent.map((message) => Uint8Array.from(message)));
    }),
  );
});

test("rejects a length above the limit before the body arrives", () => {
  expect(frameOf(new Uint8Array(258)).subarray(0, 4)).toEqual(Uint8Array.of(2, 1, 0, 0));
  expect(new FrameReader(258).push(Uint8Array.of(2, 1, 0, 0))).toEqual([]);
  expect(() => new FrameReader(257).push(Uint8Array.of(2, 1, 0, 0))).toThrow(DecodeError);
  expect(() => new FrameReader(1e6).push(Uint8Array.of(255, 255, 255, 255))).toThrow(DecodeError);
});
