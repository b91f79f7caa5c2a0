import type { NodeHost } from "../../setup/node-host.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import type { RevertOrder } from "../../threads/revert-messages.ts";
import type { Spawn } from "../../threads/thread-crew.ts";
import { chainRevertReport } from "./chain-revert-report.ts";
import { ChainRevert, type ChainRevertDeps } from "./chain-revert.ts";
import { revertInThread } from "./revert-thread.ts";

/** Reverts the stored chain while no other thread has it open. */
export type RevertStored = (order: RevertOrder) => Promise<void>;

/** Reverts of the chain: with a restart of the running threads, or while no thread runs. */
export interface Reverts {
  /** Reverts the chain of the running node, and restarts its threads. */
  readonly chain: ChainRevert;
  /** Reverts the stored chain while no thread runs. */
  readonly stored: RevertStored;
}

/** Other parts of the node that {@link openReverts} uses. */
export interface RevertNeeds {
  readonly setup: NodeSetup;
  readonly spawn: Spawn;
  readonly roles: ChainRevertDeps["role"];
  readonly storage: { readonly view: ChainRevertDeps["view"] };
}

/** Creates what reverts, each time in a separate thread. */
export function openReverts(
  { setup, spawn, roles, storage: { view } }: RevertNeeds,
  { lifecycle, log, timer }: Pick<NodeHost, "lifecycle" | "log" | "timer">,
): Reverts {
  const stored: RevertStored = (order) =>
    revertInThread(setup, order, chainRevertReport(log, timer), { spawn, timer });
  const chain = new ChainRevert({
    role: roles,
    view,
    revert: stored,
    onFailure: (error) => lifecycle.fail(error),
    timer,
  });
  return { chain, stored };
}
