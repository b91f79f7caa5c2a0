import { type FetchedOrigin, THIS_NODE } from "#api/rpc/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { OriginMissing, type OriginQuery } from "#io/origin/index.ts";
import type { StateChange } from "#services/sequencer/index.ts";

/** Maximum number of values that are fetched together, so that none waits for its deadline behind too many others. */
const MAX_TOGETHER = 1_000;

/** Members of a change whose former values its execution reads. */
export type ChangedPlaces = Pick<StateChange, "deployed" | "replaced" | "storage" | "nonces">;

/**
 * Fetches the origin's values that a change of the state replaces, in batches: its execution would fetch them one
 * after another.
 *
 * @param state - newest state, which throws {@link OriginMissing} for values that are not here
 * @throws {OriginError} when the origin does not return one of them
 */
export async function prefetchChange(
  origin: Pick<FetchedOrigin, "fetch" | "callEndsAtMs">,
  state: StateReader,
  change: ChangedPlaces,
): Promise<void> {
  const missing = missingFor(state, change);
  for (let at = 0; at < missing.length; at += MAX_TOGETHER) {
    const queries = missing.slice(at, at + MAX_TOGETHER);
    await origin.fetch(queries, THIS_NODE, origin.callEndsAtMs());
  }
}

function missingFor(
  state: StateReader,
  { deployed, replaced, storage, nonces }: ChangedPlaces,
): readonly OriginQuery[] {
  const missing: OriginQuery[] = [];
  const note = (read: () => unknown): void => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof OriginMissing)) throw error;
      missing.push(...error.queries);
    }
  };
  const contracts = new Set(
    [...deployed, ...replaced, ...storage, ...nonces].map(({ contractAddress }) => contractAddress),
  );
  for (const address of contracts) note(() => state.classHashAt(address));
  for (const { contractAddress, key } of storage) note(() => state.storageAt(contractAddress, key));
  for (const { contractAddress } of nonces) note(() => state.nonceAt(contractAddress));
  return missing;
}
