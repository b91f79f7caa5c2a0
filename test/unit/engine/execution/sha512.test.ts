import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { sha512Compress } from "#engine/execution/syscalls/sha512.ts";

/** Initial state of SHA-512 (FIPS 180-4, section 5.3.5). */
const INITIAL = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];

/** Digest of a message that fits in one block. */
function sha512(message: Uint8Array): string {
  const padded = new Uint8Array(128);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(124, message.length * 8);
  const block = Array.from({ length: 16 }, (_, i) => view.getBigUint64(i * 8));
  return sha512Compress(INITIAL, block)
    .map((word) => word.toString(16).padStart(16, "0"))
    .join("");
}

describe("sha512Compress", () => {
  test("computes SHA-512 of messages of one block", () => {
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 111 }), (message) => {
        expect(sha512(message)).toBe(createHash("sha512").update(message).digest("hex"));
      }),
      { numRuns: 20 },
    );
  });
});
