import { rawCall } from "#test/helpers/binary.ts";
import { progress } from "./progress.ts";
import type { RunningServer } from "./server.ts";
import { recipientOf } from "./transfer-messages.ts";

/** Number of blocks requested concurrently. */
const AT_ONCE = 8;
/**
 * Index of the recipient in the calldata of a transfer: calls, contract, selector, length,
 * recipient.
 */
const RECIPIENT_AT = 4;

interface Entry {
  readonly transaction: {
    readonly type: string;
    readonly sender_address?: string;
    readonly nonce?: string;
    readonly calldata?: readonly string[];
  };
  readonly receipt: {
    readonly transaction_hash: string;
    readonly execution_status: string;
    readonly finality_status: string;
    readonly events: readonly {
      readonly keys: readonly string[];
      readonly data: readonly string[];
    }[];
  };
}

/**
 * Reads all blocks and compares them with the posted transfers: each must be included once, from
 * its sender with its nonce, to its recipient, succeeded and accepted, with the transfer's event.
 * Prints faults.
 *
 * @param count - number of posted transfers, from the first on
 * @param recipients - of {@link recipientOf}
 * @returns number of missing or wrong transfers
 */
export async function checkReceipts(
  { url, accounts }: Pick<RunningServer, "url" | "accounts">,
  count: number,
  recipients: number,
): Promise<number> {
  const places = new Map(accounts.map(({ address }, place) => [BigInt(address), place]));
  const { result } = await rawCall(url, "starknet_blockNumber");
  const newest = result as number;
  const seen = new Uint8Array(count);
  let wrong = 0;
  let next = 0;
  const read = async (): Promise<void> => {
    while (next <= newest) {
      const params = { block_id: { block_number: next++ } };
      const answer = await rawCall(url, "starknet_getBlockWithReceipts", params);
      const { transactions } = answer.result as { readonly transactions: readonly Entry[] };
      for (const entry of transactions) {
        const number = numberOf(entry, places, recipients);
        if (number === undefined) continue;
        if (number >= 0 && number < count) seen[number] = (seen[number] ?? 0) + 1;
        else if (wrong++ < 5) progress(`wrong: ${JSON.stringify(entry)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, read));
  const unseen = seen.reduce((sum, times) => sum + (times === 1 ? 0 : 1), 0);
  console.log(
    `${count} transfers in ${newest} blocks: ${wrong} receipts wrong, ${unseen} missing or twice`,
  );
  return wrong + unseen;
}

/**
 * Number of a transfer; -1 if it differs from the posted one or did not succeed; `undefined` for
 * other transactions.
 */
function numberOf(
  { transaction, receipt }: Entry,
  places: ReadonlyMap<bigint, number>,
  recipients: number,
): number | undefined {
  if (transaction.type !== "INVOKE") return undefined;
  const place = places.get(BigInt(transaction.sender_address ?? 0));
  if (place === undefined) return -1;
  const number = Number(transaction.nonce) * places.size + place;
  const recipient = BigInt(transaction.calldata?.[RECIPIENT_AT] ?? 0);
  const isDone =
    receipt.execution_status === "SUCCEEDED" && receipt.finality_status === "ACCEPTED_ON_L2";
  const hasEvent = receipt.events.some(({ keys, data }) =>
    [...keys, ...data].some((felt) => BigInt(felt) === recipient),
  );
  return recipient === recipientOf(number, recipients) && isDone && hasEvent ? number : -1;
}
