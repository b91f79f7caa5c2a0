export { type BlockVerifierOptions, createBlockVerifier } from "./block-verifier.ts";
export { checkClassText, checkCompiledText, type CodeCheckOutcome } from "./check-class.ts";
export { type BundleCheckRequest, checkBundle, createBundleVerifier } from "./bundle-verifier.ts";
