import { rawCall } from "#test/helpers/binary.ts";
import { progress } from "./progress.ts";
import type { RunningServer } from "./server.ts";
import { FIRST_RECIPIENT } from "./transfer-messages.ts";

/** Blocks that are asked for at once. */
const AT_ONCE = 8;
/** Where the recipient stands in the calldata of a transfer: calls, contract, selector, length, recipient. */
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
 * Reads all blocks and compares them with what was posted: each transfer once, from its sender with its
 * nonce, succeeded and accepted, with the event of the transfer. Prints what is wrong.
 *
 * @param count - how many transfers were posted, from the first on
 * @returns how many are missing or wrong
 */
export async function checkReceipts(
  { url, accounts }: Pick<RunningServer, "url" | "accounts">,
  count: number,
): Promise<number> {
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
        const number = numberOf(entry, accounts);
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
 * Which transfer it is; -1: it is not as it was posted, or did not succeed; `undefined`: no invoke, so
 * none of ours.
 */
function numberOf(
  { transaction, receipt }: Entry,
  accounts: RunningServer["accounts"],
): number | undefined {
  if (transaction.type !== "INVOKE") return undefined;
  const recipient = transaction.calldata?.[RECIPIENT_AT] ?? "0x0";
  const number = Number(BigInt(recipient) - FIRST_RECIPIENT);
  const sender = BigInt(accounts[number % accounts.length]?.address ?? 0);
  const isAsPosted =
    BigInt(transaction.sender_address ?? 0) === sender &&
    Number(transaction.nonce) === Math.floor(number / accounts.length);
  const isDone =
    receipt.execution_status === "SUCCEEDED" && receipt.finality_status === "ACCEPTED_ON_L2";
  const hasEvent = receipt.events.some(({ keys, data }) =>
    [...keys, ...data].some((felt) => BigInt(felt) === BigInt(recipient)),
  );
  return isAsPosted && isDone && hasEvent ? number : -1;
}
