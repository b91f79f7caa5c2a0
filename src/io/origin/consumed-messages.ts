import { array, felt, object, parseJson } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ConsumedL1Message, TransactionLocation } from "#engine/state/index.ts";

const statuses = array(object({ transaction_hash: felt }));

/**
 * Decodes the result of getMessagesStatus: the L1 handlers of one L1 transaction, with their block
 * numbers.
 *
 * @param bytes - JSON text
 * @param locate - location of a transaction up to the fork block; others are omitted
 * @throws {DecodeError} when the text has another form
 */
export function consumedMessages(
  bytes: Uint8Array,
  locate: (transactionHash: Felt) => TransactionLocation | undefined,
): ConsumedL1Message[] {
  const rows = statuses.decode(parseJson(new TextDecoder().decode(bytes)), "");
  return rows.flatMap(({ transaction_hash: transactionHash }) => {
    const location = locate(transactionHash);
    return location === undefined ? [] : [{ transactionHash, blockNumber: location.blockNumber }];
  });
}
