import { accountCalls, type AccountTransaction } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { aliasQueries, type OriginQuery, withCompanions } from "#io/origin/index.ts";

/** Selectors of ERC-20 transfers, and the number of their first arguments that are accounts. */
const ACCOUNT_ARGUMENTS: ReadonlyMap<Felt, number> = new Map([
  [selectorFromName("transfer"), 1],
  [selectorFromName("transferFrom"), 2],
  [selectorFromName("transfer_from"), 2],
]);

/** Maximum number of calls of one transaction that are considered. */
const MAX_CALLS = 8;

/** Maximum number of arguments of one call that are considered. */
const MAX_ARGUMENTS = 16;

/** Hashes are hardly ever below it, and amounts hardly ever above: arguments from it on may be addresses. */
const MIN_ADDRESS = 1n << 200n;

/**
 * Returns what the calls of a transaction are likely to read: the classes of the called contracts, of those that
 * their arguments name, and the balances of ERC-20 transfers in tokens with the standard storage variable. Empty
 * if the calldata is not that of a multicall.
 *
 * @param block - number of the fork block
 */
export function callReads(transaction: AccountTransaction, block: number): readonly OriginQuery[] {
  if (transaction.type !== "INVOKE" || transaction.version === 0) return [];
  const { calldata } = transaction;
  const calls = accountCalls(calldata)?.slice(0, MAX_CALLS) ?? [];
  return calls.flatMap(({ to: address, selector, start, end }) => {
    const given = calldata.slice(start, Math.min(end, start + MAX_ARGUMENTS));
    return [
      { kind: "classHash", block, address } as const,
      ...aliasQueries(block, address),
      ...argumentReads({ selector, given, address }, block),
    ];
  });
}

/** A call with its first arguments. */
interface Call {
  readonly address: Felt;
  readonly selector: Felt;
  readonly given: readonly Felt[];
}

/** The balances of a transfer; of other calls, the classes of the contracts that their arguments may name. */
function argumentReads({ address, selector, given }: Call, block: number): readonly OriginQuery[] {
  const accounts = ACCOUNT_ARGUMENTS.get(selector);
  if (accounts !== undefined) {
    return given
      .slice(0, accounts)
      .flatMap((account) =>
        withCompanions({ kind: "storage", block, address, key: balanceKey(account) }),
      );
  }
  return given
    .filter((argument) => argument >= MIN_ADDRESS)
    .map((argument) => ({ kind: "classHash", block, address: argument }));
}
