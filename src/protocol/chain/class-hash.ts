import { poseidonMany, starknetKeccak } from "#protocol/crypto/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import type { SierraClass, SierraEntryPoint } from "./class.ts";

/**
 * Hash of a Sierra class.
 *
 * Covers entry points in their declared order, and the exact text of the ABI. Source: Starknet docs, "Class
 * hash".
 *
 * @param pause - called about every ten milliseconds on long lists; may throw to abort, and must not hash
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
