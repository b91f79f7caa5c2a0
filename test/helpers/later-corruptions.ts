import type { SyncCheck } from "#services/sync/index.ts";
import { type Corruption, values } from "./block-corruptions.ts";
import { at, bit, block, type Change, diff, put, receipt } from "./change-block.ts";

const committed = (name: string, change: Change, what: string): Corruption => [
  what,
  name as SyncCheck,
  values(name),
  change,
];

const RECEIPT_COMMITMENT = "receipt_commitment";
const DIFF_COMMITMENT = "state_diff_commitment";

/**
 * Corruptions of a block that followers must detect since 0.13.2, because the block hash covers
 * more since then.
 */
export const FROM_0_13_2: readonly Corruption[] = [
  committed(RECEIPT_COMMITMENT, bit(...block(RECEIPT_COMMITMENT)), "the receipt commitment"),
  committed(RECEIPT_COMMITMENT, bit(...receipt(4, "actual_fee")), "a fee"),
  committed(RECEIPT_COMMITMENT, bit(...receipt(2, "revert_error")), "a letter of a revert reason"),
  committed(
    RECEIPT_COMMITMENT,
    (json) => put(json, receipt(5, "execution_status"), "REVERTED"),
    "a success told as a revert",
  ),
  committed(
    RECEIPT_COMMITMENT,
    (json) => put(json, receipt(2, "execution_status"), "SUCCEEDED"),
    "a revert told as a success",
  ),
  ...["from_address", "to_address"].map((name) =>
    committed(
      RECEIPT_COMMITMENT,
      bit(...receipt(1, "l2_to_l1_messages", 0, name)),
      `${name} of a message to L1`,
    ),
  ),
  committed(
    RECEIPT_COMMITMENT,
    bit(...receipt(1, "l2_to_l1_messages", 0, "payload", 1)),
    "the payload of a message to L1",
  ),
  ...["l1_gas", "l1_data_gas"].map((name) =>
    committed(
      RECEIPT_COMMITMENT,
      bit(...receipt(0, "execution_resources", "total_gas_consumed", name)),
      `${name} that was charged`,
    ),
  ),
  [
    "the length of the state diff",
    "state_diff_length",
    /^state_diff_length: expected 8, found 9$/u,
    bit(...block("state_diff_length")),
  ],
  [
    "a change less",
    "state_diff_length",
    /^state_diff_length: expected 7, found 8$/u,
    (json) => (at(json, diff("storage_diffs", "0xc0")) as unknown[]).pop(),
  ],
  committed(DIFF_COMMITMENT, bit(...block(DIFF_COMMITMENT)), "the state diff commitment"),
  committed(DIFF_COMMITMENT, bit(...diff("storage_diffs", "0xc0", 0, "value")), "a stored value"),
  committed(DIFF_COMMITMENT, bit(...diff("storage_diffs", "0xc1", 0, "key")), "a storage key"),
  committed(DIFF_COMMITMENT, bit(...diff("nonces", "0xc0")), "a nonce"),
  committed(DIFF_COMMITMENT, bit(...diff("deployed_contracts", 0, "class_hash")), "a class given"),
  committed(DIFF_COMMITMENT, bit(...diff("deployed_contracts", 0, "address")), "an address"),
  committed(DIFF_COMMITMENT, bit(...diff("replaced_classes", 0, "class_hash")), "a new class"),
  committed(
    DIFF_COMMITMENT,
    bit(...diff("declared_classes", 0, "compiled_class_hash")),
    "a compiled class hash",
  ),
  committed(DIFF_COMMITMENT, bit(...diff("declared_classes", 0, "class_hash")), "a Sierra class"),
  committed(DIFF_COMMITMENT, bit(...diff("old_declared_contracts", 0)), "a Cairo 0 class"),
  ...["l1_gas_price", "l1_data_gas_price"].flatMap((price) =>
    ["price_in_wei", "price_in_fri"].map((unit): Corruption => [
      `${price}.${unit}`,
      "block_hash",
      values("block_hash"),
      bit(...block(price, unit)),
    ]),
  ),
  [
    "where data is available",
    "block_hash",
    values("block_hash"),
    (json) => put(json, block("l1_da_mode"), "CALLDATA"),
  ],
  [
    "an older version of the same rules",
    "block_hash",
    values("block_hash"),
    (json) => {
      const version = at(json, block("starknet_version")) as string;
      put(
        json,
        block("starknet_version"),
        `${version.slice(0, -1)}${version.endsWith("2") ? "3" : "2"}`,
      );
    },
  ],
];

/**
 * Corruptions of a block that followers must detect since 0.13.4, because the block hash covers
 * more since then.
 */
export const FROM_0_13_4: readonly Corruption[] = ["price_in_wei", "price_in_fri"].map((unit) => [
  `l2_gas_price.${unit}`,
  "block_hash",
  values("block_hash"),
  bit(...block("l2_gas_price", unit)),
]);
