import { type DevnetContext, NO_L1_MESSAGES, type ServerContext } from "#api/rpc/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ChainView } from "../chain/chain-view.ts";
import type { Production } from "../clients/production.ts";
import { AutomaticDumps } from "../devnet/automatic-dumps.ts";
import type { MainDevnet } from "../devnet/main-devnet.ts";
import { startDevnet } from "../devnet/start-devnet.ts";
import type { L1Connection } from "../l1/followed-l1.ts";
import type { PreparedFolder } from "../folder/prepared-folder.ts";
import type { ChainRevert } from "../revert/chain-revert.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { mainRpcContext, type ServedRole } from "./rpc-context.ts";

/** Dependencies of {@link startMainContext}. */
export interface MainContextDeps {
  readonly options: NodeOptions;
  readonly setup: NodeSetup;
  readonly view: ChainView;
  /** Method contexts that the role serves. */
  readonly contexts: { readonly main: readonly string[] };
  readonly role: ServedRole;
  /** `undefined` if the role produces no blocks. */
  readonly production: Production | undefined;
  /** `null` if L1 is not followed. */
  readonly l1: Pick<L1Connection, "messages"> | null;
  readonly prepared: PreparedFolder;
  readonly revert: ChainRevert;
  readonly log: Logger;
  readonly disposables: AsyncDisposableStack;
}

/** Context of the methods on the main thread, and the development features if the role has them. */
export interface MainServed {
  readonly context: ServerContext | DevnetContext;
  readonly devnet: MainDevnet | undefined;
}

/**
 * Starts the development features if the role has them, and loads their dump. No request is answered before:
 * a partially loaded dump must not be visible.
 *
 * @throws {ConfigError} as {@link AutomaticDumps.start}
 */
export async function startMainContext(deps: MainContextDeps): Promise<MainServed> {
  const { options, view, contexts, role, l1, production, prepared, log, disposables } = deps;
  const nodeInfo = { l1Messages: l1?.messages ?? NO_L1_MESSAGES, version: options.version };
  if (production === undefined || !contexts.main.includes("devnet")) {
    return { context: mainRpcContext(view, role, nodeInfo, undefined), devnet: undefined };
  }
  const devnet = startDevnet({ ...deps, production });
  const context = mainRpcContext(view, role, nodeInfo, devnet);
  const { remote } = production;
  const { nextBlock } = prepared;
  await new AutomaticDumps(disposables).start({ context, remote, log, nextBlock });
  return { context, devnet };
}
