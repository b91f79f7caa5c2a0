import {
  bool,
  type Check,
  closed,
  integer,
  list,
  missable,
  open,
  optional,
  text,
  word,
} from "./checks.ts";
import { felt, felt251, u128, u64 } from "./numbers.ts";
import { executionResources } from "./receipt.ts";

const event = closed({
  order: integer(-(2n ** 63n), 2n ** 63n - 1n),
  data: list(felt),
  keys: list(felt),
});

const message = closed({ order: u64, payload: list(felt), to_address: felt });

/** A call, with its inner calls. */
const invocation: Check = (value, path) => {
  open({
    calldata: list(felt),
    contract_address: felt251,
    selector: optional(felt),
    call_type: optional(word("CALL", "DELEGATE")),
    caller_address: missable(felt),
    internal_calls: missable(list(invocation)),
    class_hash: optional(felt),
    entry_point_type: optional(word("CONSTRUCTOR", "EXTERNAL", "L1_HANDLER")),
    events: missable(list(event)),
    messages: missable(list(message)),
    result: missable(list(felt)),
    execution_resources: executionResources,
    failed: missable(bool),
    gas_consumed: optional(u128),
    cairo_native: missable(bool),
  })(value, path);
};

/** Strict check of a response of get_transaction_trace. */
export const transactionTrace = closed({
  revert_error: optional(text),
  validate_invocation: optional(invocation),
  function_invocation: optional(invocation),
  fee_transfer_invocation: optional(invocation),
  signature: list(felt),
  transaction_hash: optional(felt),
});

/** Strict check of a response of get_block_traces. */
export const blockTraces = closed({ traces: list(transactionTrace) });
