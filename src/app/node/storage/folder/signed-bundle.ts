import { feltFromShortString } from "#base/primitives/index.ts";
import { type BlockBundle, blockHashMismatch, signatureMismatch } from "#protocol/chain/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { loadSigningKey } from "./signing-key.ts";

/** Whether a block's hash matches its header, and the chain's sequencer key signed it. */
export function isSigned({ block }: BlockBundle, { config, files }: NodeSetup): boolean {
  const { header, signature, stateDiff } = block;
  if (blockHashMismatch(header, feltFromShortString(config.chainId)) !== undefined) return false;
  const { publicKey } = loadSigningKey(files.signingKey);
  return signatureMismatch(publicKey, header, signature, stateDiff) === undefined;
}
