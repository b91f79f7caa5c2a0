import type { Timer } from "#base/primitives/index.ts";
import type { L1Limits } from "../limits.ts";
import type { L1Address, L1EndpointState } from "../types.ts";

/** What L1 is followed with. */
export interface L1SourceOptions {
  /** Addresses of JSON-RPC endpoints in order of preference, with the scheme `http` or `https`; at least one. */
  readonly endpoints: readonly string[];
  readonly coreContractAddress: L1Address;
  /** The chain that all of them must be of; `undefined`: that which they first agree about. */
  readonly chainId: number | undefined;
  readonly limits: L1Limits;
  readonly timer: Timer;
  /** Ends everything at once and for good. */
  readonly signal: AbortSignal;
  /**
   * Told of every endpoint whose state changes.
   *
   * @param name - without anything that may be a key
   * @param reason - why it was left
   */
  readonly onEndpoint: (name: string, state: L1EndpointState, reason: string | undefined) => void;
  /**
   * Called once for an endpoint without `eth_feeHistory`, whose prices are `eth_gasPrice` and
   * `eth_blobBaseFee` instead.
   *
   * @param name - as of `onEndpoint`
   * @param reason - what it refuses with
   */
  readonly onNoFeeHistory: (name: string, reason: string) => void;
}
