import { type FetchingOrigin, repeatWhileMissing, THIS_NODE } from "#api/rpc/index.ts";
import { OriginError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { OriginMissing, type OriginQuery } from "#io/origin/index.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import type { ChainView } from "../chain/chain-view.ts";
import { universalDeployers } from "../folder/chain-contracts.ts";
import type { PreparedFolder } from "../folder/prepared-folder.ts";
import { devAccountLines } from "./dev-report.ts";
import { paintOf } from "./paint.ts";

/** Chain whose accounts and contracts are printed. */
export interface PrintedChain {
  readonly prepared: Pick<PreparedFolder, "accounts">;
  readonly view: Pick<ChainView, "latestState" | "wholeState">;
  /** Access to the origin of a fork; `null` on a chain that is no fork. */
  readonly fork: { readonly origin: FetchingOrigin | null };
}

/**
 * Returns the state whose accounts and contracts are printed: on a fork with the origin's values, without them
 * while the origin is lost.
 */
export async function printedState(
  { chain }: Pick<NodeOptions, "chain">,
  { prepared, view, fork: { origin } }: PrintedChain,
): Promise<StateReader> {
  if (origin === null) return view.latestState();
  const whole = view.wholeState();
  const read = (state: StateReader): void => {
    universalDeployers(chain, state);
    devAccountLines(prepared.accounts(state), chain, state, paintOf(false));
  };
  try {
    await fetchTogether(origin, whole, read);
    await repeatWhileMissing(origin, THIS_NODE, () => read(whole));
    return whole;
  } catch (error) {
    if (error instanceof OriginError) return view.latestState();
    throw error;
  }
}

/** Fetches most values of a read together, in place of one after another. */
async function fetchTogether(
  origin: FetchingOrigin,
  whole: StateReader,
  read: (state: StateReader) => void,
): Promise<void> {
  const missing: OriginQuery[] = [];
  const noting = (work: () => Felt): Felt => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof OriginMissing)) throw error;
      missing.push(...error.queries);
      return 0n;
    }
  };
  read({
    storageAt: (address, key) => noting(() => whole.storageAt(address, key)),
    nonceAt: (address) => noting(() => whole.nonceAt(address)),
    classHashAt: (address) => noting(() => whole.classHashAt(address)),
    compiledClassHashOf: (classHash) => noting(() => whole.compiledClassHashOf(classHash)),
    executableClass: () => undefined,
  });
  if (missing.length > 0) await origin.fetch(missing, THIS_NODE, origin.callEndsAtMs());
}
