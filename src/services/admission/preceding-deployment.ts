import type { StateReader } from "#engine/state/index.ts";
import type { MempoolEntry } from "./mempool/index.ts";

/**
 * Whether an invoke may be accepted before its sender is deployed.
 *
 * @param maxNonce - highest nonce of such an invoke
 * @param state - the pending state
 */
export function mayPrecedeDeployment(
  { kind, nonce, sender }: Pick<MempoolEntry, "kind" | "nonce" | "sender">,
  maxNonce: number,
  state: Pick<StateReader, "nonceAt" | "classHashAt">,
): boolean {
  if (kind !== "INVOKE" || nonce < 1n || nonce > BigInt(maxNonce)) return false;
  return state.nonceAt(sender) === 0n && state.classHashAt(sender) === 0n;
}
