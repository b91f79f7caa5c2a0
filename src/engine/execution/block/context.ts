import type { Felt } from "#base/primitives/index.ts";
import type { ProtocolConstants } from "#protocol/versions/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import type { BouncerCapacity } from "./capacity.ts";

/** Addresses of the contracts in which fees are paid: STRK for version 3, ETH for older versions. */
export interface FeeTokens {
  readonly strk: Felt;
  readonly eth: Felt;
}

/** Everything outside of the state that execution depends on. */
export interface BlockContext {
  readonly info: BlockInfo;
  /** The chain id as a short string felt. */
  readonly chainId: Felt;
  readonly feeTokens: FeeTokens;
  readonly constants: ProtocolConstants;
  readonly bouncer: BouncerCapacity;
}
