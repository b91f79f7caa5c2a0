import { type DevnetContext, NO_L1_MESSAGES, type ServerContext } from "#api/rpc/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import type { Production } from "../production/production.ts";
import { AutomaticDumps } from "./automatic-dumps.ts";
import type { MainDevnet } from "../query/rpc/main-devnet.ts";
import { startDevnet } from "./start-devnet.ts";
import type { L1Connection } from "../l1/l1-connection.ts";
import type { PreparedFolder } from "../storage/folder/prepared-folder.ts";
import type { ChainRevert } from "../storage/revert/chain-revert.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { mainRpcContext, type ServedRole } from "../query/rpc/rpc-context.ts";

/** What the methods on the main thread are made of. */
export interface MainContextDeps {
  readonly options: NodeOptions;
  readonly setup: NodeSetup;
  readonly view: ChainView;
  /** The contexts that the role serves. */
  readonly contexts: { readonly main: readonly string[] };
  readonly role: ServedRole;
  /** `undefined`: the role makes no blocks. */
  readonly production: Production | undefined;
  /** `null`: L1 is not followed. */
  readonly l1: Pick<L1Connection, "messages"> | null;
  readonly prepared: PreparedFolder;
  readonly revert: ChainRevert;
  readonly log: Logger;
  readonly disposables: AsyncDisposableStack;
}

/** What methods on the main thread work with, and the development features, where the role has them. */
export interface MainServed {
  readonly context: ServerContext | DevnetContext;
  readonly devnet: MainDevnet | undefined;
}

/**
 * Starts the development features where the role has them, and loads their dump: nobody is answered
 * before, for a chain that is half a dump is not what was asked for.
 *
 * @throws {ConfigError} as {@link AutomaticDumps.start}
 */
export async function startMainContext(deps: MainContextDeps): Promise<MainServed> {
  const { options, view, contexts, role, l1, production, prepared, log, disposables } = deps;
  const told = { l1Messages: l1?.messages ?? NO_L1_MESSAGES, version: options.version };
  if (production === undefined || !contexts.main.includes("devnet")) {
    return { context: mainRpcContext(view, role, told, undefined), devnet: undefined };
  }
  const devnet = startDevnet({ ...deps, production });
  const context = mainRpcContext(view, role, told, devnet);
  const { remote } = production;
  const { nextBlock } = prepared;
  await new AutomaticDumps(disposables).start({ context, remote, log, nextBlock });
  return { context, devnet };
}
