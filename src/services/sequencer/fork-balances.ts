import type { MutableStateDiff } from "#protocol/chain/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import type { Felt } from "#base/primitives/index.ts";

const LOW_128 = (1n << 128n) - 1n;
const U256_BOUND = 1n << 256n;

/** Account and the balance that it has at least, below 2^256. */
export interface MinimumBalance {
  readonly address: Felt;
  readonly amount: bigint;
}

/** Reads a storage variable of the fork block. @throws {OriginError} when the origin does not supply it */
export type ReadStorage = (contractAddress: Felt, key: Felt) => Promise<Felt>;

/** Maximum accounts whose values are requested concurrently. */
const GROUP = 100;

/**
 * Raises balances of a token of the origin, and its total supply by the same amount. A balance that is
 * already as high stays as it is. The token has the storage variables of OpenZeppelin's ERC-20.
 *
 * @param minimums - one per account
 * @throws errors of `read`
 */
export async function raiseBalances(
  diff: MutableStateDiff,
  token: Felt,
  minimums: readonly MinimumBalance[],
  read: ReadStorage,
): Promise<void> {
  const readAmount = async (key: Felt): Promise<bigint> => {
    const [low, high] = await Promise.all([read(token, key), read(token, key + 1n)]);
    return low + (high << 128n);
  };
  let raised = 0n;
  for (const group of groupsOf(minimums)) {
    const raises = group.map(async ({ address, amount }) => {
      const key = storageVariableKey("ERC20_balances", address);
      const before = await readAmount(key);
      if (before >= amount) return 0n;
      writeAmount(diff, token, key, { before, after: amount });
      return amount - before;
    });
    for (const raise of await Promise.all(raises)) raised += raise;
  }
  if (raised === 0n) return;
  const key = storageVariableKey("ERC20_total_supply");
  const before = await readAmount(key);
  const after = before + raised;
  writeAmount(diff, token, key, { before, after: after < U256_BOUND ? after : U256_BOUND - 1n });
}

/**
 * Splits a list into groups that are queried one after the other. The origin's deadline for a value runs from
 * its request, so values that wait for many others would miss it.
 */
export function groupsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const groups: T[][] = [];
  for (let i = 0; i < items.length; i += GROUP) groups.push(items.slice(i, i + GROUP));
  return groups;
}

/** Writes the changed halves of an amount: a state diff omits equal values. */
function writeAmount(
  diff: MutableStateDiff,
  token: Felt,
  key: Felt,
  { before, after }: { readonly before: bigint; readonly after: bigint },
): void {
  let cells = diff.storageDiffs.get(token);
  if (cells === undefined) diff.storageDiffs.set(token, (cells = new Map()));
  if ((before & LOW_128) !== (after & LOW_128)) cells.set(key, after & LOW_128);
  if (before >> 128n !== after >> 128n) cells.set(key + 1n, after >> 128n);
}
