import type { Felt } from "#base/primitives/index.ts";
import { keptPublicKey } from "#services/sync/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { openChain } from "./open-chain.ts";
import { loadSigningKey } from "./signing-key.ts";

/**
 * Key that must have signed each block: a standby's own key, otherwise the configured one. `null` until the
 * source reports it.
 *
 * @throws {ConfigError} when the own key cannot be read
 */
export function signerOf({
  config,
  files,
  follow,
}: Pick<NodeSetup, "config" | "files" | "follow">): Felt | null {
  // Only a standby follows without a gateway for submissions.
  const isStandby = follow !== null && follow.gateways.length === 0;
  return isStandby ? loadSigningKey(files.signingKey).publicKey : config.sequencerPublicKey;
}

/**
 * Returns a getter of the key that signs the chain's blocks. A producer uses its signing key's public half; a
 * follower uses {@link signerOf}, otherwise the first key that the source reported.
 *
 * @param disposables - closes the database that is opened for this
 * @returns a getter, which returns `undefined` until the key is known
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
