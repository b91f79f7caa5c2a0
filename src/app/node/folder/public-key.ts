import type { Felt } from "#base/primitives/index.ts";
import { keptPublicKey } from "#services/sync/index.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { openChain } from "./open-chain.ts";
import { loadSigningKey } from "./signing-key.ts";

/**
 * Tells the key that signs the chain's blocks: of who makes them the public half of the signing key, of who
 * follows the configured one, else the first that a gateway told.
 *
 * @param disposables - closes what is read for it
 * @returns gives `undefined` where it is not known yet
 * @throws {ConfigError} when the signing key cannot be read
 */
export async function publicKeyOf(
  setup: NodeSetup,
  disposables: AsyncDisposableStack,
): Promise<() => Felt | undefined> {
  const { config, files, follow } = setup;
  if (follow === null) {
    const { publicKey } = loadSigningKey(files.signingKey);
    return () => publicKey;
  }
  const { sequencerPublicKey } = config;
  if (sequencerPublicKey !== null) return () => sequencerPublicKey;
  const { chain, close } = await openChain(setup);
  disposables.defer(close);
  return () => keptPublicKey(chain);
}
