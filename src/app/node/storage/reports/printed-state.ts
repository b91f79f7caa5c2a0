import { type FetchedOrigin, repeatWhileMissing, THIS_NODE } from "#api/rpc/index.ts";
import { OriginError } from "#base/errors/index.ts";
import type { StateReader } from "#engine/state/index.ts";
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
  readonly fork: { readonly origin: Pick<FetchedOrigin, "fetch"> | null };
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
  try {
    await repeatWhileMissing(origin, THIS_NODE, () => {
      universalDeployers(chain, whole);
      devAccountLines(prepared.accounts(whole), chain, whole, paintOf(false));
    });
    return whole;
  } catch (error) {
    if (error instanceof OriginError) return view.latestState();
    throw error;
  }
}
