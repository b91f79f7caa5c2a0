export { type BlockVerifierOptions, createBlockVerifier } from "./block-verifier.ts";
