import type { RpcStateDiff } from "../reference/block.ts";

/** Compared members of a gateway receipt. */
export interface GatewayReceipt {
  readonly transaction_hash: string;
  readonly actual_fee: string;
  readonly execution_status: string;
  readonly revert_error?: string;
  readonly events: unknown;
  readonly l2_to_l1_messages: readonly { readonly to_address: string }[];
}

/** Compared members of a gateway block; integers are `bigint`. */
export interface StrictBlock {
  readonly block_hash: string;
  readonly block_number: bigint;
  readonly parent_block_hash: string;
  readonly timestamp: bigint;
  readonly starknet_version: string;
  readonly transactions: readonly { readonly transaction_hash: string }[];
  readonly transaction_receipts: readonly GatewayReceipt[];
}

/** A call in a gateway trace. */
export interface GatewayCall {
  readonly contract_address: string;
  readonly caller_address: string;
  readonly class_hash: string;
  readonly selector: string;
  readonly calldata: readonly string[];
  readonly result: readonly string[];
  readonly internal_calls: readonly GatewayCall[];
  readonly events: readonly { readonly keys: string[]; readonly data: string[] }[];
  readonly messages: readonly { readonly to_address: string; readonly payload: string[] }[];
}

/** A trace of a gateway. */
export interface GatewayTrace {
  readonly transaction_hash: string;
  readonly revert_error?: string;
  readonly validate_invocation?: GatewayCall;
  readonly function_invocation?: GatewayCall;
  readonly fee_transfer_invocation?: GatewayCall;
}

/** A state diff of a gateway. */
export interface GatewayDiff {
  readonly storage_diffs: Readonly<Record<string, readonly { key: string; value: string }[]>>;
  readonly nonces: Readonly<Record<string, string>>;
  readonly deployed_contracts: RpcStateDiff["deployed_contracts"];
  readonly declared_classes: RpcStateDiff["declared_classes"];
  readonly old_declared_contracts: readonly string[];
  readonly replaced_classes: RpcStateDiff["deployed_contracts"];
  readonly migrated_compiled_classes?: RpcStateDiff["declared_classes"];
}

/** Converts a gateway's state diff to the format of JSON-RPC. */
export function rpcDiff(diff: GatewayDiff): RpcStateDiff {
  return {
    storage_diffs: Object.entries(diff.storage_diffs).map(([address, storage_entries]) => ({
      address,
      storage_entries,
    })),
    nonces: Object.entries(diff.nonces).map(([contract_address, nonce]) => ({
      contract_address,
      nonce,
    })),
    deployed_contracts: diff.deployed_contracts,
    replaced_classes: diff.replaced_classes.map(({ address, class_hash }) => ({
      contract_address: address,
      class_hash,
    })),
    declared_classes: diff.declared_classes,
    migrated_compiled_classes: diff.migrated_compiled_classes ?? [],
    deprecated_declared_classes: diff.old_declared_contracts,
  };
}
