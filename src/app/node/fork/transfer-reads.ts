import type { AccountTransaction } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { type OriginQuery, withCompanions } from "#io/origin/index.ts";

/** Selectors of ERC-20 transfers, and the number of their first arguments that are accounts. */
const ACCOUNT_ARGUMENTS: ReadonlyMap<Felt, number> = new Map([
  [selectorFromName("transfer"), 1],
  [selectorFromName("transferFrom"), 2],
  [selectorFromName("transfer_from"), 2],
]);

/** Maximum number of calls of one transaction that are considered. */
const MAX_CALLS = 8;

/**
 * Returns the balances that the ERC-20 transfers of a transaction read, in tokens with the standard storage
 * variable. Empty if the calldata is not that of a multicall.
 *
 * @param block - number of the fork block
 */
export function transferReads(
  transaction: AccountTransaction,
  block: number,
): readonly OriginQuery[] {
  if (transaction.type !== "INVOKE" || transaction.version === 0) return [];
  const { calldata } = transaction;
  const queries: OriginQuery[] = [];
  let at = 1;
  for (let calls = 0; calls < MAX_CALLS && at + 3 <= calldata.length; calls++) {
    const [address = 0n, selector = 0n, length = 0n] = calldata.slice(at, at + 3);
    const accounts = calldata.slice(at + 3, at + 3 + (ACCOUNT_ARGUMENTS.get(selector) ?? 0));
    for (const account of accounts) {
      queries.push(
        ...withCompanions({ kind: "storage", block, address, key: balanceKey(account) }),
      );
    }
    if (length > BigInt(calldata.length)) break;
    at += 3 + Number(length);
  }
  return queries;
}
