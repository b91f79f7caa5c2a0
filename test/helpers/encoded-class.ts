import {
  type BundledClass,
  type EncodedClass,
  encodeContractClass,
} from "#protocol/chain/index.ts";

/** A class with its encoded definition. */
export function encodedClassOf({ classHash, contractClass, casmJson }: BundledClass): EncodedClass {
  return { classHash, contractClass: encodeContractClass(contractClass), casmJson };
}
