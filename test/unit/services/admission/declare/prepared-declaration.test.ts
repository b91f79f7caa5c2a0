import { describe, expect, test } from "bun:test";
import { ByteWriter } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { encodedTransaction } from "#protocol/chain/index.ts";
import {
  decodePrepared,
  encodePrepared,
  type PreparedDeclaration,
} from "#services/admission/declare/prepared-declaration.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { preparedOf, sentDeclaration } from "#test/helpers/sent-declaration.ts";

describe("what is known of a declaration", () => {
  test.each<readonly [string, PreparedDeclaration]>([
    ["in order", { ...preparedOf(sentDeclaration(7n)), sierraProgramLength: 81_920, abiLength: 0 }],
    [
      "of a Cairo 0 class",
      { ...preparedOf(sentDeclaration(7n)), unpacked: new Uint8Array(5_000).fill(7) },
    ],
    ["refused", { kind: "rejected", code: "VALIDATION_FAILURE", reason: "é\u0000\n" }],
  ])("comes out of its bytes as it went in: %s", (_, prepared) => {
    expect(decodePrepared(encodePrepared(prepared))).toEqual(prepared);
  });

  test("is nothing else than was written", () => {
    const bytes = encodePrepared(preparedOf(sentDeclaration(7n)));
    for (const broken of [bytes.subarray(0, -1), Uint8Array.of(...bytes, 0), new Uint8Array()]) {
      expect(() => decodePrepared(broken)).toThrow(DecodeError);
    }
  });

  test("is of no other transaction than a declaration", () => {
    const { bytes } = encodedTransaction({ hash: 1n, transaction: emptyInvoke(1n, 0n) });
    const writer = new ByteWriter(64);
    writer.bool(true);
    writer.bytes(bytes);
    writer.varint(1);
    writer.varint(1);
    writer.bool(false);
    expect(() => decodePrepared(writer.finish())).toThrow(DecodeError);
  });
});
