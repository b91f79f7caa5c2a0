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

describe("the bytes of a prepared declaration", () => {
  test.each<readonly [string, PreparedDeclaration]>([
    ["in order", { ...preparedOf(sentDeclaration(7n)), sierraProgramLength: 81_920, abiLength: 0 }],
    [
      "of a Cairo 0 class",
      { ...preparedOf(sentDeclaration(7n)), unpacked: new Uint8Array(5_000).fill(7) },
    ],
    ["refused", { kind: "rejected", code: "VALIDATION_FAILURE", reason: "é\u0000\n" }],
  ])("decode to the original: %s", (_, prepared) => {
    expect(decodePrepared(encodePrepared(prepared))).toEqual(prepared);
  });

  test("are rejected if truncated, extended or empty", () => {
    const bytes = encodePrepared(preparedOf(sentDeclaration(7n)));
    for (const broken of [bytes.subarray(0, -1), Uint8Array.of(...bytes, 0), new Uint8Array()]) {
      expect(() => decodePrepared(broken)).toThrow(DecodeError);
    }
  });

  test("are rejected if they contain another transaction type", () => {
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
