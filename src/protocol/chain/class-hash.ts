import { poseidonMany, starknetKeccak } from "#protocol/crypto/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import type { SierraClass, SierraEntryPoint } from "./class.ts";

/**
 * Hash of a Sierra class.
 *
 * Entry points are hashed in the order in which they stand, and the ABI as the exact text that was
 * declared. Source: Starknet docs, "Class hash".
 *
 * @param pause - called every ten milliseconds or so where lists are long; may throw to end the work,
 *   and must not hash
 */
export function sierraClassHash(sierraClass: SierraClass, pause?: () => void): Felt {
  const { entryPoints } = sierraClass;
  return poseidonMany([
    feltFromShortString(`CONTRACT_CLASS_V${sierraClass.contractClassVersion}`),
    entryPointsHash(entryPoints.EXTERNAL, pause),
    entryPointsHash(entryPoints.L1_HANDLER, pause),
    entryPointsHash(entryPoints.CONSTRUCTOR, pause),
    starknetKeccak(sierraClass.abi),
    poseidonMany(sierraClass.sierraProgram, pause),
  ]);
}

function entryPointsHash(entryPoints: readonly SierraEntryPoint[], pause?: () => void): Felt {
  return poseidonMany(
    entryPoints.flatMap((e) => [e.selector, BigInt(e.functionIdx)]),
    pause,
  );
}
