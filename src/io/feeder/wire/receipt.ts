import {
  array,
  type Codec,
  convert,
  type Decoder,
  integer,
  type JsonObject,
  literal,
  memberPath,
  mismatch,
  object,
  text,
} from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type {
  Event,
  HashedTransaction,
  L1Handler,
  MessageToL1,
  Receipt,
} from "#protocol/chain/index.ts";
import { messageReceiver } from "./eth-address.ts";
import {
  type GasMembers,
  readExecutionResources,
  writeExecutionResources,
  type ExecutionResources,
} from "./execution-resources.ts";
import { field, members } from "./members.ts";
import { felt, felts, u128 } from "./numbers.ts";

const events: Codec<readonly Event[]> = array(
  members<Event>("event", {
    fromAddress: field("from_address", felt),
    keys: field("keys", felts),
    data: field("data", felts),
  }),
);

const messages: Codec<readonly MessageToL1[]> = array(
  members<MessageToL1>("message to L1", {
    fromAddress: field("from_address", felt),
    toAddress: field("to_address", messageReceiver),
    payload: field("payload", felts),
  }),
);

const executionResources: Decoder<ExecutionResources> = {
  describe: "execution resources",
  decode: readExecutionResources,
};

/** Only its shape is checked: it repeats the transaction's content. */
const consumedMessage = object(
  { from_address: messageReceiver, to_address: felt, selector: felt, payload: felts },
  { nonce: felt },
);

/** A lone surrogate has no UTF-8 form, which the receipt commitment and the storage require. */
const reason = convert(text, "Unicode text", (value) => (value.isWellFormed() ? value : undefined));

const receipt = object(
  {
    transaction_hash: felt,
    transaction_index: integer(),
    actual_fee: u128,
    events,
    l2_to_l1_messages: messages,
    execution_resources: executionResources,
  },
  {
    execution_status: literal("SUCCEEDED", "REVERTED"),
    revert_error: reason,
    l1_to_l2_consumed_message: consumedMessage,
  },
);

/**
 * Decodes a receipt. Receipts before 0.12.1 have no status: all their transactions succeeded.
 *
 * @param index - expected index in the block; `undefined` to accept any
 * @throws {DecodeError} naming the first invalid place, also for another transaction's receipt
 */
export function readReceipt(
  value: unknown,
  path: string,
  { hash, transaction }: HashedTransaction,
  index: number | undefined,
): Receipt {
  const read = receipt.decode(value, path);
  if (read.transaction_hash !== hash) {
    mismatch(memberPath(path, "transaction_hash"), "hash of the transaction", undefined);
  }
  if (index !== undefined && read.transaction_index !== index) {
    mismatch(memberPath(path, "transaction_index"), `${index}`, undefined);
  }
  return {
    transactionHash: read.transaction_hash,
    actualFee: read.actual_fee,
    feeUnit: transaction.version === 3 ? "FRI" : "WEI",
    events: read.events,
    messages: read.l2_to_l1_messages,
    status:
      read.execution_status === "REVERTED"
        ? { kind: "reverted", reason: read.revert_error ?? "" }
        : { kind: "succeeded" },
    ...read.execution_resources,
  };
}

/**
 * Encodes a receipt.
 *
 * @param index - index of the transaction in its block
 * @param gasMembers - gas members of the block's protocol version: {@link gasMembersOf}
 */
export function writeGatewayReceipt(
  receipt: Receipt,
  { transaction }: HashedTransaction,
  index: number,
  gasMembers: GasMembers,
): JsonObject {
  const { status } = receipt;
  return {
    execution_status: status.kind === "succeeded" ? "SUCCEEDED" : "REVERTED",
    revert_error: status.kind === "reverted" ? status.reason : undefined,
    transaction_index: index,
    transaction_hash: hexFromFelt(receipt.transactionHash),
    l1_to_l2_consumed_message:
      transaction.type === "L1_HANDLER" ? writeConsumedMessage(transaction) : undefined,
    l2_to_l1_messages: messages.encode(receipt.messages),
    events: events.encode(receipt.events),
    execution_resources: writeExecutionResources(receipt, gasMembers),
    actual_fee: hexFromFelt(receipt.actualFee),
  };
}

/** The first felt of the calldata is the sender; the rest is the payload. */
function writeConsumedMessage(handler: L1Handler): JsonObject {
  const [sender = 0n, ...payload] = handler.calldata;
  return {
    from_address: messageReceiver.encode(sender),
    to_address: hexFromFelt(handler.contractAddress),
    selector: hexFromFelt(handler.entryPointSelector),
    payload: felts.encode(payload),
    nonce: hexFromFelt(handler.nonce),
  };
}
