export { type BlockVerifierOptions, createBlockVerifier } from "./block-verifier.ts";
export { checkClassText, checkCompiledText, type CodeCheckOutcome } from "./check-class.ts";
export { createBundleVerifier } from "./bundle-verifier.ts";
