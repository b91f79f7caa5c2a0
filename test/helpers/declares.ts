import { readFileSync } from "node:fs";
import { type Account, type CompiledSierra, json } from "starknet";
import { clientClassHash, clientCompiledClassHash } from "./client-hashes.ts";
import { fixturePath } from "./shared.ts";
import { isFullSize } from "./test-size.ts";
import { AMPLE_BOUNDS } from "./tokens.ts";

/** Paths of a class's files below the fixtures' folder `classes`: as Sierra, and compiled. */
export interface ClassFiles {
  readonly sierra: string;
  readonly casm: string;
  /** Class hash as starknet.js computes it; omitted for classes that it hashes quickly. */
  readonly classHash?: string;
}

/** Files of a small class without a constructor: `set_name4(felt)` and `get_name4()`. */
export const SMALL_CLASS: ClassFiles = {
  sierra: "starknet-js/cairo/cairo2114/minimalist.sierra.json",
  casm: "starknet-js/cairo/cairo2114/minimalist.casm",
};

/** Files of Argent's account 0.4.0, a class that takes long to compile. */
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
export function classHashOf({ sierra, classHash }: ClassFiles): string {
  const known = isFullSize ? undefined : classHash;
  return known ?? clientClassHash(textOf(sierra));
}

/** Payload of `Account.declare`, with the hashes that starknet.js computes for a protocol version. */
function declarationOf(files: ClassFiles, starknetVersion: string) {
  const casmText = textOf(files.casm);
  return {
    contract: sierraOf(files),
    casm: json.parse(casmText),
    classHash: classHashOf(files),
    compiledClassHash: clientCompiledClassHash(casmText, starknetVersion),
  };
}

/** Declares without an estimate; by default with the nonce after the latest accepted block. */
export async function declare(account: Account, files: ClassFiles, nonce?: string) {
  const details = nonce === undefined ? DECLARE_BOUNDS : { ...DECLARE_BOUNDS, nonce };
  const version = await account.provider.channel.getStarknetVersion();
  return account.declare(declarationOf(files, version), details);
}
