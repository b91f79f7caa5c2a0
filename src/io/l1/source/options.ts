import type { Timer } from "#base/primitives/index.ts";
import type { L1Limits } from "../limits.ts";
import type { L1Address, L1EndpointState } from "../types.ts";

/** Settings of {@link createL1Source}. */
export interface L1SourceOptions {
  /** URLs of JSON-RPC endpoints in order of preference, with the scheme `http` or `https`; at least one. */
  readonly endpoints: readonly string[];
  readonly coreContractAddress: L1Address;
  /** Required chain id; `undefined` accepts the one that the endpoints first agree on. */
  readonly chainId: number | undefined;
  readonly limits: L1Limits;
  readonly timer: Timer;
  /** Aborts all requests and stops the source permanently. */
  readonly signal: AbortSignal;
  /**
   * Called when an endpoint's state changes.
   *
   * @param name - endpoint name without anything that may be a key
   * @param reason - why it is avoided; `undefined` otherwise
   */
  readonly onEndpoint: (name: string, state: L1EndpointState, reason: string | undefined) => void;
  /**
   * Called once for an endpoint without `eth_feeHistory`; `eth_gasPrice` and
   * `eth_blobBaseFee` are used instead.
   *
   * @param name - as in `onEndpoint`
   * @param reason - error of the endpoint
   */
  readonly onNoFeeHistory: (name: string, reason: string) => void;
}
