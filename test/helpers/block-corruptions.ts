import type { SyncCheck } from "#services/sync/index.ts";
import {
  at,
  bit,
  block,
  type Change,
  type Name,
  put,
  receipt,
  transaction,
} from "./change-block.ts";

/** Indices of the transactions in the generated blocks. */
const [INVOKE_0, INVOKE_1, INVOKE_3, , DECLARE_1, DECLARE_2, DECLARE_3, DEPLOY_ACCOUNT_1] = [
  0, 1, 2, 3, 4, 5, 6, 7,
] as const;
const [DEPLOY_ACCOUNT_3, DEPLOY, L1_HANDLER] = [8, 9, 10] as const;

const HEX = /expected 0x[0-9a-f]+, found 0x[0-9a-f]+$/u;

/**
 * Pattern of a refusal's message that names a field and its hexadecimal values: `field: expected
 * 0x..., found 0x...`.
 */
export const values = (field: string): RegExp =>
  new RegExp(`^${field}: ${HEX.source.replace("^", "")}`, "u");

/**
 * Test case: a change of a block, with the check that must reject the block and the pattern of the
 * message.
 */
export type Corruption = readonly [what: string, check: SyncCheck, message: RegExp, change: Change];

const hashOf = (index: number): RegExp => values(`transaction_hash of transaction ${index}`);
const hashed = (index: number, ...path: readonly Name[]): Corruption => [
  `transaction ${index}: ${path.join(".")}`,
  "transaction_hash",
  hashOf(index),
  bit(...transaction(index, ...path)),
];

/** Corruptions of a block that followers must detect in every protocol version. */
export const IN_ALL: readonly Corruption[] = [
  [
    "the block's number",
    "block_number",
    /^block_number: expected 77, found 76$/u,
    bit(...block("block_number")),
  ],
  ["the block's hash", "block_hash", values("block_hash"), bit(...block("block_hash"))],
  ["the parent's hash", "block_hash", values("block_hash"), bit(...block("parent_block_hash"))],
  ["the timestamp", "block_hash", values("block_hash"), bit(...block("timestamp"))],
  ["the sequencer", "block_hash", values("block_hash"), bit(...block("sequencer_address"))],
  ["the state root", "block_hash", values("block_hash"), bit(...block("state_root"))],
  [
    "the block of the state update",
    "block_hash",
    values("block_hash of the state update"),
    bit("state_update", "block_hash"),
  ],
  [
    "the root of the state update",
    "state_root",
    values("new_root of the state update"),
    bit("state_update", "new_root"),
  ],
  ["r of the signature", "signature", /by the key 0x.*, found r 0x/u, bit("signature", 0)],
  ["s of the signature", "signature", /by the key 0x.*, found r 0x/u, bit("signature", 1)],
  [
    "the transaction commitment",
    "transaction_commitment",
    values("transaction_commitment"),
    bit(...block("transaction_commitment")),
  ],
  [
    "the event commitment",
    "event_commitment",
    values("event_commitment"),
    bit(...block("event_commitment")),
  ],
  [
    "the hash of a transaction, also in its receipt",
    "transaction_hash",
    hashOf(INVOKE_0),
    (json) => {
      for (const path of [transaction(0, "transaction_hash"), receipt(0, "transaction_hash")]) {
        bit(...path)(json);
      }
    },
  ],
  [
    "the hash of a transaction alone",
    "receipt",
    values("transaction_hash of receipt 0"),
    bit(...transaction(INVOKE_0, "transaction_hash")),
  ],
  hashed(INVOKE_0, "calldata", 0),
  hashed(INVOKE_0, "entry_point_selector"),
  hashed(INVOKE_1, "nonce"),
  hashed(INVOKE_1, "max_fee"),
  hashed(INVOKE_3, "tip"),
  hashed(INVOKE_3, "resource_bounds", "L2_GAS", "max_amount"),
  hashed(INVOKE_3, "resource_bounds", "L1_DATA_GAS", "max_price_per_unit"),
  hashed(INVOKE_3, "proof_facts", 0),
  hashed(INVOKE_3, "nonce_data_availability_mode"),
  hashed(INVOKE_3, "sender_address"),
  hashed(DECLARE_1, "class_hash"),
  hashed(DECLARE_2, "compiled_class_hash"),
  hashed(DECLARE_3, "compiled_class_hash"),
  hashed(DEPLOY_ACCOUNT_1, "contract_address_salt"),
  hashed(DEPLOY_ACCOUNT_3, "constructor_calldata", 0),
  hashed(DEPLOY, "constructor_calldata", 0),
  hashed(L1_HANDLER, "entry_point_selector"),
  hashed(L1_HANDLER, "nonce"),
  [
    "the class of a deploy, which its hash does not cover",
    "transaction_hash",
    values(`contract_address of transaction ${DEPLOY}`),
    bit(...transaction(DEPLOY, "class_hash")),
  ],
  [
    "the salt of a deploy, which its hash does not cover",
    "transaction_hash",
    values(`contract_address of transaction ${DEPLOY}`),
    bit(...transaction(DEPLOY, "contract_address_salt")),
  ],
  [
    "the signature of a transaction",
    "transaction_commitment",
    values("transaction_commitment"),
    bit(...transaction(INVOKE_3, "signature", 1)),
  ],
  [
    "the signature of a declaration",
    "transaction_commitment",
    values("transaction_commitment"),
    bit(...transaction(DECLARE_3, "signature", 0)),
  ],
  [
    "who emitted an event",
    "event_commitment",
    values("event_commitment"),
    bit(...receipt(3, "events", 0, "from_address")),
  ],
  [
    "a key of an event",
    "event_commitment",
    values("event_commitment"),
    bit(...receipt(3, "events", 0, "keys", 1)),
  ],
  [
    "a felt of an event's data",
    "event_commitment",
    values("event_commitment"),
    bit(...receipt(10, "events", 0, "data", 2)),
  ],
  [
    "the transaction of a receipt",
    "receipt",
    values("transaction_hash of receipt 3"),
    bit(...receipt(3, "transaction_hash")),
  ],
  [
    "the place of a receipt",
    "receipt",
    /^transaction_index of receipt 3: expected 3, found 2$/u,
    bit(...receipt(3, "transaction_index")),
  ],
  ...["from_address", "to_address", "selector", "nonce"].map((name): Corruption => [
    `${name} of the message from L1 in the receipt of who consumed it`,
    "receipt",
    values(`${name} of l1_to_l2_consumed_message of receipt ${L1_HANDLER}`),
    bit(...receipt(L1_HANDLER, "l1_to_l2_consumed_message", name)),
  ]),
  [
    "the payload of the message from L1",
    "receipt",
    values(`payload\\[0\\] of l1_to_l2_consumed_message of receipt ${L1_HANDLER}`),
    bit(...receipt(L1_HANDLER, "l1_to_l2_consumed_message", "payload", 0)),
  ],
  [
    "a message from L1 in the receipt of another transaction",
    "receipt",
    /^l1_to_l2_consumed_message of receipt 1: expected nothing, found a message$/u,
    (json) => {
      const message = at(json, receipt(L1_HANDLER, "l1_to_l2_consumed_message"));
      put(json, receipt(1, "l1_to_l2_consumed_message"), message);
    },
  ],
  [
    "a receipt less",
    "receipt",
    /^number of receipts: expected 11, found 10$/u,
    (json) => (at(json, receipt(0).slice(0, -1)) as unknown[]).pop(),
  ],
  [
    "two receipts in each other's place",
    "receipt",
    values("transaction_hash of receipt 4"),
    (json) => {
      const [fourth, fifth] = [at(json, receipt(4)), at(json, receipt(5))];
      put(json, receipt(4), fifth);
      put(json, receipt(5), fourth);
    },
  ],
  [
    "an event more",
    "event_commitment",
    values("event_commitment"),
    (json) => {
      const events = at(json, receipt(0, "events")) as unknown[];
      events.push(events[0]);
    },
  ],
  [
    "two events in each other's place",
    "event_commitment",
    values("event_commitment"),
    (json) => {
      const [first, second] = [at(json, receipt(0, "events")), at(json, receipt(1, "events"))];
      put(json, receipt(0, "events"), second);
      put(json, receipt(1, "events"), first);
    },
  ],
  [
    "a transaction that stands twice",
    "transaction_hash",
    /^transaction 11: expected a transaction that occurs.* only once, found 0x/u,
    (json) => {
      const [transactions, receipts] = [
        at(json, block("transactions")),
        at(json, receipt(0).slice(0, -1)),
      ];
      (transactions as unknown[]).push(at(json, transaction(INVOKE_1)));
      (receipts as unknown[]).push({
        ...(at(json, receipt(INVOKE_1)) as object),
        transaction_index: 11,
      });
    },
  ],
];
