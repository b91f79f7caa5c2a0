import { closed, open, optional, text, word } from "./checks.ts";
import { STATUSES } from "./block.ts";
import { felt, felt251, l1Address } from "./numbers.ts";

/** Strict check of a response of get_transaction_status. */
export const transactionStatus = open({
  tx_status: word(...STATUSES),
  finality_status: word("NOT_RECEIVED", "RECEIVED", "ACCEPTED_ON_L1", "ACCEPTED_ON_L2"),
  execution_status: optional(word("SUCCEEDED", "REVERTED", "REJECTED")),
  tx_failure_reason: optional(open({ code: text, error_message: text })),
  tx_revert_reason: optional(text),
});

/** Strict check of a response of get_contract_addresses. */
export const contractAddresses = open({
  Starknet: l1Address,
  strk_l2_token_address: optional(felt251),
  eth_l2_token_address: optional(felt251),
});

/** Strict check of a response of get_public_key. */
export const publicKey = felt;

/** Strict check of an error response; unknown codes are accepted. */
export const error = open({ code: text, message: text });

/** Strict check of a response of add_transaction to an invocation. */
export const invoked = closed({ code: text, transaction_hash: felt });

/** Strict check of a response of add_transaction to a declaration. */
export const declared = closed({ code: text, transaction_hash: felt, class_hash: felt251 });

/** Strict check of a response of add_transaction to the deployment of an account. */
export const deployed = open({ code: text, transaction_hash: felt });
