import type { ChainConfig } from "#protocol/config/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { aliasQueries, type OriginQuery, withCompanions } from "#io/origin/index.ts";

/** Contract with the aliases of addresses and storage keys, and its variable with the next alias. */
const ALIAS_CONTRACT = 2n;
const ALIAS_COUNTER = 0n;

/** Configuration that decides what nearly every transaction reads. */
export type UsualConfig = Pick<
  ChainConfig,
  "nativeFeeTokenAddress" | "parentFeeTokenAddress" | "sequencerAddress"
>;

/**
 * Returns values that the first transactions on a fork read, whatever they do: the fee tokens, whose classes
 * follow, the balance of the sequencer, which receives the fees, and the counter of aliases. The end of every block
 * reads the counter, that of an empty block as well: it must be here when the origin is lost.
 *
 * @param classes - hashes of classes that accounts on the fork are likely to have
 * @param block - number of the fork block
 */
export function usualReads(
  { nativeFeeTokenAddress, parentFeeTokenAddress, sequencerAddress }: UsualConfig,
  classes: readonly Felt[],
  block: number,
): readonly OriginQuery[] {
  const tokens = new Set([nativeFeeTokenAddress, parentFeeTokenAddress]);
  const key = balanceKey(sequencerAddress);
  return [
    ...[...tokens].flatMap((address): readonly OriginQuery[] => [
      { kind: "classHash", block, address },
      ...aliasQueries(block, address),
      ...withCompanions({ kind: "storage", block, address, key }),
    ]),
    { kind: "storage", block, address: ALIAS_CONTRACT, key: ALIAS_COUNTER },
    ...classes.map((classHash): OriginQuery => ({ kind: "class", block, classHash })),
  ];
}
