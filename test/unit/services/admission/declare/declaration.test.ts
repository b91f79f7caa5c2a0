import { describe, expect, test } from "bun:test";
import { ByteWriter } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import {
  type DeclareV2,
  encodeContractClass,
  encodedTransaction,
  encodeUnhashed,
} from "#protocol/chain/index.ts";
import {
  classBytesOf,
  type Declaration,
  decodeDeclaration,
  decodeSentDeclare,
  encodeDeclaration,
} from "#services/admission/declare/declaration.ts";
import { classOf } from "#test/helpers/fake-compiler.ts";
import { emptyDeclare, emptyInvoke } from "#test/helpers/mempool-world.ts";
import { sentDeclaration } from "#test/helpers/sent-declaration.ts";

const OLD: Omit<DeclareV2, "classHash"> = {
  type: "DECLARE",
  version: 2,
  maxFee: 7n,
  signature: [1n, 2n],
  nonce: 3n,
  senderAddress: 4n,
  compiledClassHash: 5n,
};
const V3 = sentDeclaration(9n, { signature: [6n], nonce: 8n });
const V2: Declaration = { transaction: OLD, contractClass: { ...classOf(9n), abi: "[é\u0000]" } };

/** Bytes of a declaration with any parts. */
function bytesOf(transaction: Uint8Array, classBytes: Uint8Array): Uint8Array {
  const writer = new ByteWriter(64);
  writer.bytes(transaction);
  writer.raw(classBytes);
  return writer.finish();
}

const CLASS_BYTES = encodeContractClass(classOf(9n));
const DECLARE_BYTES = encodeUnhashed(emptyDeclare(1n, 0n));

const { compiledClassHash: _compiled, ...OF_CAIRO_0 } = OLD;
const FIRST = { ...OF_CAIRO_0, version: 1 } as const;
const FIRST_BYTES = encodeUnhashed({ ...FIRST, classHash: 0n });
const PACKED = { kind: "packed", program: "H4sI", entryPoints: "{}", abi: "[é]" } as const;
const V1: Declaration = { transaction: FIRST, contractClass: PACKED };
const PACKED_SIERRA: Declaration = {
  transaction: V3.transaction,
  contractClass: {
    kind: "packed-sierra",
    program: "H4sI",
    contractClassVersion: "0.1.0",
    entryPoints: {
      CONSTRUCTOR: [{ selector: 1n, functionIdx: 2 }],
      EXTERNAL: [
        { selector: 3n, functionIdx: 4 },
        { selector: 5n, functionIdx: 6 },
      ],
      L1_HANDLER: [],
    },
    abi: "[é]",
  },
};

describe("an encoded declaration", () => {
  test.each([
    ["version 3", V3],
    ["version 2", V2],
    ["version 1, of a Cairo 0 class", V1],
    ["version 3, of a packed Sierra class", PACKED_SIERRA],
  ])("decodes to its original with class hash 0: %s", (_, declaration) => {
    const { transaction, contractClass } = decodeDeclaration(encodeDeclaration(declaration));
    expect(transaction).toEqual({ ...declaration.transaction, classHash: 0n });
    expect(contractClass).toEqual(declaration.contractClass);
  });

  test("contains the class in the mempool's encoding, in the same buffer", () => {
    const bytes = encodeDeclaration(V3);
    const classBytes = classBytesOf(bytes);
    expect(classBytes).toEqual(encodeContractClass(V3.contractClass));
    expect(classBytes.buffer).toBe(bytes.buffer);
  });

  test.each([
    ["of nothing", new Uint8Array()],
    ["of an invoke", bytesOf(encodeUnhashed(emptyInvoke(1n, 0n)), CLASS_BYTES)],
    [
      "of a Cairo 0 class",
      bytesOf(DECLARE_BYTES, encodeContractClass({ kind: "legacy", json: "{}" })),
    ],
    ["of a truncated class", bytesOf(DECLARE_BYTES, CLASS_BYTES.subarray(0, 9))],
    ["of a class with trailing bytes", bytesOf(DECLARE_BYTES, Uint8Array.of(...CLASS_BYTES, 0))],
    ["of no class", bytesOf(DECLARE_BYTES, new Uint8Array())],
    ["of a Sierra class with version 1", bytesOf(FIRST_BYTES, CLASS_BYTES)],
    ["of a truncated packed class", encodeDeclaration(V1).subarray(0, -1)],
    ["of a packed class with trailing bytes", Uint8Array.of(...encodeDeclaration(V1), 0)],
    ["of a truncated packed Sierra class", encodeDeclaration(PACKED_SIERRA).subarray(0, -1)],
    [
      "of a packed Sierra class with trailing bytes",
      Uint8Array.of(...encodeDeclaration(PACKED_SIERRA), 0),
    ],
  ])("is rejected if it consists %s", (_, bytes) => {
    expect(() => decodeDeclaration(bytes)).toThrow(DecodeError);
  });
});

describe("a declaration sent by an account", () => {
  const first = { ...FIRST, classHash: 6n };

  test("has version 1, 2 or 3", () => {
    for (const transaction of [emptyDeclare(1n, 0n), { ...OLD, classHash: 6n }, first]) {
      const { bytes } = encodedTransaction({ hash: 77n, transaction });
      expect(decodeSentDeclare(bytes)).toEqual({ hash: 77n, transaction, bytes });
    }
  });

  test("has no other type or version", () => {
    const { nonce: _nonce, ...unnumbered } = first;
    for (const transaction of [emptyInvoke(1n, 0n), { ...unnumbered, version: 0 as const }]) {
      const { bytes } = encodedTransaction({ hash: 77n, transaction });
      expect(() => decodeSentDeclare(bytes)).toThrow(DecodeError);
    }
  });
});
