import { describe, expect, test } from "bun:test";
import { DevnetFault, type SuppliedClass } from "#api/rpc/index.ts";
import {
  encodeContractClass,
  encodedTransaction,
  type SierraClass,
} from "#protocol/chain/index.ts";
import {
  type CompileOutcome,
  encodeDeclaration,
  type PreparedDeclaration,
} from "#services/admission/index.ts";
import { ClassPreparation } from "#app/node/devnet/class-preparation.ts";
import { packedClass } from "#test/helpers/packed-class.ts";

const SIERRA: SierraClass = {
  kind: "sierra",
  sierraProgram: [1n],
  contractClassVersion: "0.1.0",
  entryPoints: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
  abi: "[]",
};
const CLASS_HASH = 0xc1a55n;
const COMPILED: CompileOutcome = {
  kind: "compiled",
  casmJson: "{}",
  bytecodeLength: 1,
  hashes: { poseidon: 0x5n, blake: 0x6n },
};
type Hashes = Omit<SuppliedClass, "contractClass">;
const NAMES: Hashes = { classHash: undefined, compiledClassHash: undefined };

function namedAs(classHash: bigint, unpacked: Uint8Array | null = null): PreparedDeclaration {
  const hashed = encodedTransaction({
    hash: 1n,
    transaction: {
      type: "DECLARE",
      version: 2,
      senderAddress: 0n,
      nonce: 0n,
      signature: [],
      maxFee: 0n,
      compiledClassHash: 0n,
      classHash,
    },
  });
  return { kind: "prepared", hashed, sierraProgramLength: 1, abiLength: 2, unpacked };
}

function preparation(
  named: PreparedDeclaration | undefined = namedAs(CLASS_HASH),
  compiled: CompileOutcome = COMPILED,
) {
  const sent: Uint8Array[] = [];
  const preparing = new ClassPreparation({
    name(bytes) {
      sent.push(bytes);
      return Promise.resolve(named);
    },
    compiler: { compile: () => Promise.resolve(compiled) },
    hashFunction: "blake",
  });
  return { preparing, sent };
}

describe("a class of a state diff", () => {
  test("gets its class hash and the compiled class hash of the chain's version", async () => {
    const { preparing } = preparation();
    expect(await preparing.prepare({ contractClass: SIERRA, ...NAMES })).toEqual({
      kind: "prepared",
      encoded: {
        classHash: CLASS_HASH,
        contractClass: encodeContractClass(SIERRA),
        casmJson: "{}",
      },
      compiledClassHash: 0x6n,
    });
  });

  test("is not compiled if it is a Cairo 0 class", async () => {
    const unpacked = new Uint8Array([1, 2]);
    const { preparing, sent } = preparation(namedAs(CLASS_HASH, unpacked));
    const contractClass = packedClass({ felts: 1 });
    expect(await preparing.prepare({ contractClass, ...NAMES })).toEqual({
      kind: "prepared",
      encoded: { classHash: CLASS_HASH, contractClass: unpacked, casmJson: null },
      compiledClassHash: 0n,
    });
    const common = { type: "DECLARE", senderAddress: 0n, nonce: 0n, signature: [] } as const;
    const transaction = { ...common, version: 1, maxFee: 0n } as const;
    expect(sent).toEqual([encodeDeclaration({ transaction, contractClass })]);
  });

  test("is refused if it has another hash than the request names", async () => {
    const reasonOf = (names: Partial<Hashes>) =>
      preparation().preparing.prepare({ contractClass: SIERRA, ...NAMES, ...names });
    expect(await reasonOf({ classHash: 1n })).toEqual({
      kind: "refused",
      code: "value",
      reason: "the class hash is 0xc1a55, not 0x1",
    });
    expect(await reasonOf({ compiledClassHash: 5n })).toMatchObject({
      reason: "the compiled class hash is 0x6, not 0x5",
    });
  });

  test("is refused if its definition is wrong", async () => {
    const refused = async (made: ReturnType<typeof preparation>, contractClass = SIERRA) =>
      made.preparing.prepare({ contractClass, ...NAMES });
    const code = "COMPILATION_FAILED";
    const reason = "it is wrong";
    const expected = { kind: "refused", code: "definition" } as const;
    expect(await refused(preparation({ kind: "rejected", code, reason }))).toEqual({
      ...expected,
      reason,
    });
    const uncompiled = preparation(namedAs(CLASS_HASH), { kind: "refused", code, reason });
    expect(await refused(uncompiled)).toEqual({ ...expected, reason });
    const unhashed = preparation();
    const old = await refused(unhashed, { ...SIERRA, contractClassVersion: "0.0.9" });
    expect(old).toMatchObject(expected);
    expect(unhashed.sent).toEqual([]);
  });

  test("fails with a fault while the node is busy", async () => {
    const supplied = { contractClass: SIERRA, ...NAMES };
    const unnamed = new ClassPreparation({
      name: () => Promise.resolve(undefined),
      compiler: { compile: () => Promise.resolve(COMPILED) },
      hashFunction: "blake",
    });
    expect(unnamed.prepare(supplied)).rejects.toThrow(DevnetFault);
    const busy = preparation(namedAs(CLASS_HASH), {
      kind: "busy",
      reason: "classes wait",
      retryAfterSeconds: 7,
    });
    expect(busy.preparing.prepare(supplied)).rejects.toThrow("classes wait; try again in 7 s");
    await Bun.sleep(0);
  });
});
