import { closed, list, missable, open, optional, text, word } from "./checks.ts";
import { anyFelt, felt, felt251, height, l1Address, u128, u64 } from "./numbers.ts";

const gas = closed({ l1_gas: u128, l1_data_gas: u128, l2_gas: optional(u128) });

const BUILTINS = [
  "output",
  "pedersen",
  "range_check",
  "ecdsa",
  "bitwise",
  "ec_op",
  "keccak",
  "poseidon",
  "segment_arena",
  "add_mod",
  "mul_mod",
  "range_check96",
];

/**
 * Strict check of resources of a receipt, or of a call in a trace. Counters of other builtins are
 * ignored.
 */
export const executionResources = closed({
  builtin_instance_counter: open(
    Object.fromEntries(BUILTINS.map((name) => [`${name}_builtin`, missable(u64)])),
  ),
  n_steps: u64,
  n_memory_holes: u64,
  data_availability: optional(gas),
  total_gas_consumed: optional(gas),
});

const event = closed({ data: list(anyFelt), from_address: felt251, keys: list(anyFelt) });

const consumedMessage = closed({
  from_address: l1Address,
  payload: list(anyFelt),
  selector: felt,
  to_address: felt251,
  nonce: optional(felt),
});

const message = closed({ from_address: felt251, payload: list(anyFelt), to_address: felt251 });

/** Strict check of a receipt in a block. */
export const receipt = closed({
  actual_fee: felt,
  events: list(event),
  execution_resources: executionResources,
  l1_to_l2_consumed_message: optional(consumedMessage),
  l2_to_l1_messages: list(message),
  transaction_hash: felt,
  transaction_index: height,
  execution_status: word("SUCCEEDED", "REVERTED"),
  revert_error: optional(text),
});
