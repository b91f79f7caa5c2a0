import { readFileSync } from "node:fs";
import { type Account, type CompiledSierra, hash, json } from "starknet";
import { fixturePath } from "./shared.ts";
import { isFullSize } from "./test-size.ts";
import { AMPLE_BOUNDS } from "./tokens.ts";

/** Paths of a class below the fixtures' classes: as Sierra, and compiled. */
export interface ClassFiles {
  readonly sierra: string;
  readonly casm: string;
  /** Class hash as starknet.js computes it; omitted for classes that it hashes quickly. */
  readonly classHash?: string;
}

/** A small class without a constructor: `set_name4(felt)` and `get_name4()`. */
export const SMALL_CLASS: ClassFiles = {
  sierra: "starknet-js/cairo/cairo2114/minimalist.sierra.json",
  casm: "starknet-js/cairo/cairo2114/minimalist.casm",
};

/** Argent's account 0.4.0, which takes long to compile. */
export const LARGE_CLASS: ClassFiles = {
  sierra: "starknet-js/cairo/account/account_ready_040.sierra.json",
  casm: "starknet-js/cairo/account/account_ready_040.casm",
  classHash: "0x36078334509b514626504edc9fb252328d1a240e4e948bef8d0c08dff45927f",
};

/** Options of `Account.declare` that skip the estimate and suffice for any class. */
export const DECLARE_BOUNDS = {
  resourceBounds: {
    ...AMPLE_BOUNDS,
    l2_gas: { max_amount: 10n ** 10n, max_price_per_unit: 1_000_000n },
  },
  tip: 0n,
} as const;

const textOf = (path: string): string => readFileSync(fixturePath("classes", path), "utf8");

/** The Sierra class of {@link ClassFiles}, as compilers write it. */
export function sierraOf({ sierra }: ClassFiles): CompiledSierra {
  return json.parse(textOf(sierra)) as CompiledSierra;
}

/** Class hash by starknet.js; a large class is hashed only at full size. */
export function classHashOf(files: ClassFiles): string {
  const known = isFullSize ? undefined : files.classHash;
  return known ?? hash.computeContractClassHash(sierraOf(files));
}

/**
 * Payload of `Account.declare`. The client hashes the compiled class, and at full size also the
 * class, which takes seconds.
 */
export function declarationOf(files: ClassFiles) {
  return {
    contract: sierraOf(files),
    casm: json.parse(textOf(files.casm)),
    classHash: classHashOf(files),
  };
}

/** Declares without an estimate; by default with the nonce after the latest accepted block. */
export function declare(account: Account, files: ClassFiles, nonce?: string) {
  const details = nonce === undefined ? DECLARE_BOUNDS : { ...DECLARE_BOUNDS, nonce };
  return account.declare(declarationOf(files), details);
}
