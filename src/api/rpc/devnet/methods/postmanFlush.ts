import { bool, type JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { optional } from "../../method.ts";
import type { FlushedMessages, MockMessageToL2 } from "../access.ts";
import { devnetMethod } from "../devnet-context.ts";

/** Name that `devnet_postmanFlush` reports as the L1 when none is loaded and L1 is imitated. */
export const IMITATED_L1 = "mock";

/** Hex digits of an Ethereum address and of an Ethereum hash. */
const ADDRESS_DIGITS = 40;
const HASH_DIGITS = 64;

/**
 * JSON-RPC method `devnet_postmanFlush`: executes the messages of the loaded L1 and sends it those
 * of the chain; without one, only returns the latter.
 */
export const postmanFlush = devnetMethod({
  name: "devnet_postmanFlush",
  family: "write",
  runsOn: "main",
  summary:
    "Executes the messages of the loaded L1 and sends it those of the chain; without one, only returns the latter.",
  params: () => ({ dry_run: optional(bool, false) }),
  result:
    () =>
    ({ flushed, isDry }: { flushed: FlushedMessages; isDry: boolean }): JsonValue => ({
      messages_to_l1: flushed.toL1.map(({ fromAddress, toAddress, payload }) => ({
        from_address: hexFromFelt(fromAddress),
        to_address: hexFromFelt(toAddress),
        payload: payload.map((felt) => hexFromFelt(felt)),
      })),
      messages_to_l2: flushed.toL2.map(encodeMessage),
      generated_l2_transactions: flushed.transactions.map((hash) => hexFromFelt(hash)),
      l1_provider: isDry ? "dry run" : (flushed.provider ?? IMITATED_L1),
    }),
  errors: [],
  async handler(context, { dry_run: isDry }) {
    return { flushed: await context.devnet.flushMessages(isDry), isDry };
  },
});

function encodeMessage(message: MockMessageToL2): JsonValue {
  const { l1TransactionHash, l1ContractAddress } = message;
  return {
    l2_contract_address: hexFromFelt(message.l2ContractAddress),
    entry_point_selector: hexFromFelt(message.entryPointSelector),
    l1_contract_address: `0x${l1ContractAddress.toString(16).padStart(ADDRESS_DIGITS, "0")}`,
    payload: message.payload.map((felt) => hexFromFelt(felt)),
    paid_fee_on_l1: hexFromFelt(message.paidFeeOnL1),
    nonce: hexFromFelt(message.nonce),
    ...(l1TransactionHash === null
      ? {}
      : { l1_transaction_hash: `0x${l1TransactionHash.toString(16).padStart(HASH_DIGITS, "0")}` }),
  };
}
