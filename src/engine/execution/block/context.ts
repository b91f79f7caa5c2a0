import type { Felt } from "#base/primitives/index.ts";
import type { ProtocolConstants } from "#protocol/versions/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import type { BouncerCapacity } from "./capacity.ts";

/** Fee token contracts: STRK for version 3 transactions, ETH for older ones. */
export interface FeeTokens {
  readonly strk: Felt;
  readonly eth: Felt;
}

/** All inputs of execution besides the state. */
export interface BlockContext {
  readonly info: BlockInfo;
  /** Chain id as a short-string felt. */
  readonly chainId: Felt;
  readonly feeTokens: FeeTokens;
  readonly constants: ProtocolConstants;
  readonly bouncer: BouncerCapacity;
}
