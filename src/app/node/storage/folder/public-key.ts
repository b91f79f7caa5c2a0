import type { Felt } from "#base/primitives/index.ts";
import { keptPublicKey } from "#services/sync/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { openChain } from "./open-chain.ts";
import { loadSigningKey } from "./signing-key.ts";

/**
 * The key that has to have signed each block: of who may take the sequencer's place its own, else that of
 * the configuration; `null`: it is not known before the source tells it.
 *
 * @throws {ConfigError} when the own key cannot be read
 */
export function signerOf({
  config,
  files,
  follow,
}: Pick<NodeSetup, "config" | "files" | "follow">): Felt | null {
  // Only a standby follows without a gateway that transactions go to.
  const isStandby = follow !== null && follow.gateways.length === 0;
  return isStandby ? loadSigningKey(files.signingKey).publicKey : config.sequencerPublicKey;
}

/**
 * Tells the key that signs the chain's blocks: of who makes them the public half of the signing key, of who
 * follows as {@link signerOf}, else the first that was told.
 *
 * @param disposables - closes what is read for it
 * @returns gives `undefined` where it is not known yet
 * @throws {ConfigError} when the signing key cannot be read
 */
export async function publicKeyOf(
  setup: NodeSetup,
  disposables: AsyncDisposableStack,
): Promise<() => Felt | undefined> {
  const { files, follow } = setup;
  if (follow === null) {
    const { publicKey } = loadSigningKey(files.signingKey);
    return () => publicKey;
  }
  const signer = signerOf(setup);
  if (signer !== null) return () => signer;
  const { chain, close } = await openChain(setup);
  disposables.defer(close);
  return () => keptPublicKey(chain);
}
