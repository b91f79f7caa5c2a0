export {
  blake2sFelts,
  keccak256,
  keccakPermutation,
  sha256,
  sha256Compress,
  starknetKeccak,
} from "./digest.ts";
export { Modulus } from "./modulus.ts";
export { selectorFromName, storageVariableKey } from "./name.ts";
export {
  pedersen,
  pedersenArray,
  pedersenArrayBatch,
  pedersenBatch,
  pedersenBatchBytes,
} from "./pedersen.ts";
export {
  poseidon,
  poseidonBatch,
  poseidonBatchBytes,
  poseidonMany,
  poseidonManyBatch,
  poseidonSingle,
} from "./poseidon.ts";
export { createPedersenPage, runPedersenHelper, SharedPedersen } from "./shared-pedersen.ts";
export type { Endomorphism } from "./endomorphism.ts";
export { ShortCurve } from "./short-curve.ts";
export { CURVE_ORDER, publicKey, sign, type Signature, verify } from "./signature.ts";
