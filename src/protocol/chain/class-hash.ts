import { poseidonMany, starknetKeccak } from "#protocol/crypto/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import type { SierraClass, SierraEntryPoint } from "./class.ts";

/**
 * Hash of a Sierra class.
 *
 * Entry points are hashed in the order in which they stand, and the ABI as the exact text that was
 * declared. Source: Starknet docs, "Class hash".
 */
export function sierraClassHash(sierraClass: SierraClass): Felt {
  const { entryPoints } = sierraClass;
  return poseidonMany([
    feltFromShortString(`CONTRACT_CLASS_V${sierraClass.contractClassVersion}`),
    entryPointsHash(entryPoints.EXTERNAL),
    entryPointsHash(entryPoints.L1_HANDLER),
    entryPointsHash(entryPoints.CONSTRUCTOR),
    starknetKeccak(sierraClass.abi),
    poseidonMany(sierraClass.sierraProgram),
  ]);
}

function entryPointsHash(entryPoints: readonly SierraEntryPoint[]): Felt {
  return poseidonMany(entryPoints.flatMap((e) => [e.selector, BigInt(e.functionIdx)]));
}
