import type { Felt } from "#base/primitives/index.ts";
import type { GasVector, VmResources } from "#protocol/versions/index.ts";

/** Price unit of a fee: WEI (ETH) before version 3, FRI (STRK) from version 3 on. */
export type FeeUnit = "WEI" | "FRI";

/** An event as emitted. */
export interface Event {
  readonly fromAddress: Felt;
  readonly keys: readonly Felt[];
  readonly data: readonly Felt[];
}

/** A message to L1; `toAddress` is an Ethereum address. */
export interface MessageToL1 {
  readonly fromAddress: Felt;
  readonly toAddress: Felt;
  readonly payload: readonly Felt[];
}

/** How an included transaction ended. */
export type ExecutionStatus =
  { readonly kind: "succeeded" } | { readonly kind: "reverted"; readonly reason: string };

/** What a block records about a transaction beside the transaction itself. */
export interface Receipt {
  readonly transactionHash: Felt;
  readonly actualFee: bigint;
  readonly feeUnit: FeeUnit;
  readonly events: readonly Event[];
  readonly messages: readonly MessageToL1[];
  readonly status: ExecutionStatus;
  /** Gas charged for, data availability included. */
  readonly gas: GasVector;
  /** The part of `gas` spent on data availability. */
  readonly daGas: GasVector;
  /** Machine resources, operating system part included: the gateway shows them. */
  readonly vmResources: VmResources;
  /**
   * A development chain has taken the transaction with any signature: its sender was impersonated, and
   * `__validate__` did not run. No hash depends on it; whoever executes it again has to know.
   */
  readonly isImpersonated?: true;
}
