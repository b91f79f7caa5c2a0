import { expect, test } from "bun:test";
import fc from "fast-check";
import { RequestBody } from "#api/rpc/http/request-body.ts";
import { codePoints } from "#test/helpers/code-points.ts";
import { assertProperty } from "#test/helpers/property.ts";

const strict = new TextDecoder("utf-8", { fatal: true });

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

const some = fc.oneof(
  fc.string().map((text) => Buffer.from(text)),
  fc.string({ unit: codePoints }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.from("\uFEFF{}")),
  fc.constant(Buffer.alloc(5_000, "a")),
);
const part = fc.record({ before: some, body: some, after: some });

test("RequestBody decodes exactly its own bytes, whatever surrounds or splits them", () => {
  assertProperty(
    fc.property(fc.array(part, { maxLength: 3 }), (parts) => {
      const body = new RequestBody(
        parts.map(({ before, body: bytes, after }) => ({
          bytes: Buffer.concat([before, bytes, after]),
          from: before.byteLength,
          to: before.byteLength + bytes.byteLength,
        })),
      );
      const whole = Buffer.concat(parts.map((each) => each.body));
      expect(body.byteLength).toBe(whole.byteLength);
      expect(Buffer.from(body.bytes())).toEqual(whole);
      expect(body.text()).toBe(textOf(whole));
    }),
    { numRuns: 500 },
  );
});
