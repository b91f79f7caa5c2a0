import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DecodeError } from "#base/errors/index.ts";
import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import {
  type BundledClass,
  bundledClassOf,
  casmClassFromJson,
  executableClassOf,
  readEncodedClass,
  writeEncodedClass,
} from "#protocol/chain/index.ts";
import { bundledClasses } from "#test/helpers/arbitraries.ts";
import { renamedClass } from "#test/helpers/declare-world.ts";
import { encodedClassOf } from "#test/helpers/encoded-class.ts";
import { assertProperty } from "#test/helpers/property.ts";

const ABI = '[ {"b":1,  "a":"\u00e9"} ]';
const ACCOUNT = renamedClass("account", ABI);

test("a class survives its encoding", () => {
  assertProperty(
    fc.property(bundledClasses, (classes) => {
      const writer = new ByteWriter();
      writer.array(classes.map(encodedClassOf), writeEncodedClass);
      const reader = new ByteReader(writer.finish(), "classes");
      const read = reader.array(readEncodedClass).map(bundledClassOf);
      reader.end();
      expect(read).toEqual(classes);
    }),
  );
});

describe("executableClassOf", () => {
  test("returns the code, the version and the lengths that a declaration pays for", () => {
    const { contractClass, classHash } = ACCOUNT;
    if (contractClass.kind !== "sierra") throw new TypeError("the account is a Sierra class");
    expect(executableClassOf(encodedClassOf(ACCOUNT))).toEqual({
      classHash,
      casm: casmClassFromJson(ACCOUNT.casmJson ?? ""),
      sierraVersion: [1, 7, 0],
      sierraProgramLength: contractClass.sierraProgram.length,
      // In bytes: the accented letter takes two.
      abiLength: ABI.length + 1,
    });
  });

  test("decodes a class once", () => {
    const encoded = encodedClassOf(ACCOUNT);
    expect(executableClassOf(encoded)).toBe(executableClassOf(encoded) as never);
  });

  test("returns undefined for a class without executable code", () => {
    const legacy: BundledClass = {
      classHash: 1n,
      contractClass: { kind: "legacy", json: '{"abi": [], "program": {}}' },
      casmJson: null,
    };
    expect(executableClassOf(encodedClassOf(legacy))).toBeUndefined();
    expect(executableClassOf(encodedClassOf({ ...ACCOUNT, casmJson: null }))).toBeUndefined();
  });

  test("rejects damaged bytes and damaged code", () => {
    const encoded = encodedClassOf(ACCOUNT);
    const cut = encoded.contractClass.slice(0, -1);
    expect(() => executableClassOf({ ...encoded, contractClass: cut })).toThrow(DecodeError);
    expect(() => executableClassOf({ ...encoded, casmJson: "{}" })).toThrow(DecodeError);
  });
});
