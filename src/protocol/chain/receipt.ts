import type { Felt } from "#base/primitives/index.ts";
import type { GasVector, VmResources } from "#protocol/versions/index.ts";

/** Unit of a fee: WEI (ETH) for versions below 3, FRI (STRK) since version 3. */
export type FeeUnit = "WEI" | "FRI";

/** Event as emitted. */
export interface Event {
  readonly fromAddress: Felt;
  readonly keys: readonly Felt[];
  readonly data: readonly Felt[];
}

/** Message to L1; `toAddress` is an Ethereum address. */
export interface MessageToL1 {
  readonly fromAddress: Felt;
  readonly toAddress: Felt;
  readonly payload: readonly Felt[];
}

/** Result of an included transaction. */
export type ExecutionStatus =
  { readonly kind: "succeeded" } | { readonly kind: "reverted"; readonly reason: string };

/** Data that a block records about a transaction besides the transaction itself. */
export interface Receipt {
  readonly transactionHash: Felt;
  readonly actualFee: bigint;
  readonly feeUnit: FeeUnit;
  readonly events: readonly Event[];
  readonly messages: readonly MessageToL1[];
  readonly status: ExecutionStatus;
  /** Charged gas, including data availability. */
  readonly gas: GasVector;
  /** Part of `gas` spent on data availability. */
  readonly daGas: GasVector;
  /** Machine resources including the operating system's part, as shown by the gateway. */
  readonly vmResources: VmResources;
  /**
   * Set when a development chain accepted the transaction with any signature: its sender was impersonated,
   * and `__validate__` did not run. No hash covers it, but re-execution needs it.
   */
  readonly isImpersonated?: true;
}
