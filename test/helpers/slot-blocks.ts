import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";

/** Address of the contract whose storage {@link slotDiff} changes. */
export const CONTRACT = 0x77n;

/** Storage keys that {@link slotDiff} chooses from, spread over the trie. */
export const SLOTS: readonly bigint[] = Array.from(
  { length: 60 },
  (_, i) => BigInt(i + 1) * 0x5851f42d4c957f2d14057b7ef767814fn,
);

/** Changes of block `number`: some slots, one in seven of which it removes. */
export function slotDiff(number: number): StateDiff {
  const entries = SLOTS.filter((_, i) => (i + number * 5) % 3 === 0).map(
    (slot, i): [bigint, bigint] => [slot, (i + number) % 7 === 0 ? 0n : BigInt(number + 1)],
  );
  return { ...EMPTY_STATE_DIFF, storageDiffs: new Map([[CONTRACT, new Map(entries)]]) };
}
