import { feltFromShortString, type Felt } from "#base/primitives/index.ts";
import { OriginRemote, type OriginQuery, type OriginRemoteOptions } from "#io/origin/index.ts";
import { originQueryText } from "#io/origin/query.ts";
import { createChainReader, openDatabase, type StoredChainReader } from "#io/storage/index.ts";
import { remoteOptions } from "./origin-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { bySize } from "./test-size.ts";
import { makeTrueChain, TRUE_CHAIN_ID, type TrueGenesis } from "./true-chain.ts";

/** Chain id of {@link openOriginChain}. */
export const ORIGIN_CHAIN_ID: Felt = feltFromShortString(TRUE_CHAIN_ID);

/** An open chain in a temporary folder. */
export interface OriginChain extends Disposable {
  readonly chain: StoredChainReader;
}

/** Creates a chain whose hashes, commitments and tries are valid, to fork from. */
export async function openOriginChain(blocks: number, seed = 1): Promise<OriginChain> {
  const folder = temporaryFolder();
  const path = folder.file("chain");
  const genesis = bySize<TrueGenesis>({ quick: "small", full: "devnet" });
  await makeTrueChain(path, { blocks, seed, transactions: 6, genesis });
  const file = { path: `${path}/chain.db`, chainId: TRUE_CHAIN_ID };
  const database = await openDatabase({ ...file, mode: "reader", durability: "normal" });
  return {
    chain: createChainReader(database),
    [Symbol.dispose]() {
      database.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A remote that is pinned at a block. */
export async function pinnedRemote(
  url: string,
  block: number,
  more: Partial<OriginRemoteOptions> = {},
) {
  const remote = new OriginRemote(remoteOptions([url], more));
  const pinned = await remote.pin(block);
  const fetch = (query: OriginQuery) => remote.fetch(query, remote.task(originQueryText(query)));
  return { remote, pinned, fetch };
}

/** Returns a value that must be present. @throws {TypeError} if it is `null` or `undefined` */
export function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new TypeError("the value is absent");
  return value;
}
