/**
 * Development features: minting, time, blocks on demand, dumps, impersonation.
 *
 * - Options: `devnet`, `devAccounts`.
 * - Threads: none; the executor and admission read its shared pages.
 * - Needs: production of the current role, the prepared accounts, reverts of the chain.
 * - Offers: {@link MainServed}: the context of all methods on the main thread.
 * - Routes: the `devnet` methods, and the HTTP paths of starknet-devnet.
 * - Ready: once the dump is loaded. No request is answered before.
 * - Stops: requests that wait for a block are answered.
 */
import type { DevnetContext, L1MessageLookup, ServerContext } from "#api/rpc/index.ts";
import type { ClassCompiler } from "#services/admission/index.ts";
import type { Fork } from "../fork/part.ts";
import { Production } from "../production/production.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import type { MainDevnet } from "../query/rpc/main-devnet.ts";
import { mainRpcContext, type ServedRole } from "../query/rpc/rpc-context.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { Generation } from "../setup/renewal.ts";
import type { NodeSetup } from "../setup/setup.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import type { PreparedFolder } from "../storage/folder/prepared-folder.ts";
import type { Reverts } from "../storage/revert/open-revert.ts";
import type { Role } from "../threads/roles/role.ts";
import type { RoleServices } from "../threads/roles/role-services.ts";
import { AutomaticDumps } from "./automatic-dumps.ts";
import type { ForkMove } from "./fork-move.ts";
import type { Renew } from "./renewal-of.ts";
import { startDevnet } from "./start-devnet.ts";

/** Other parts of the node that {@link openMainContext} uses. */
export interface MainContextNeeds {
  readonly setup: NodeSetup;
  readonly storage: { readonly view: ChainView };
  readonly fork: Pick<Fork, "origin">;
  /** The role that the node started in. */
  readonly role: Pick<Role, "contexts">;
  /** Services of that role. */
  readonly roles: { readonly services: RoleServices };
  /** The current role, as requests see it. */
  readonly submissions: { readonly role: ServedRole };
  readonly l1: { readonly messages: L1MessageLookup };
  readonly folder: { readonly prepared: PreparedFolder };
  readonly reverts: Pick<Reverts, "chain">;
  /** Moves a fork; `null` on a chain that is no fork. */
  readonly move: ForkMove | null;
  readonly renew: Renew;
  readonly generation: Pick<Generation<unknown>, "isRenewal" | "isReplaced">;
  /** Hashes classes. */
  readonly queryPool: Pick<WorkerQueryPool, "prepare">;
  readonly compiler: { readonly service: Pick<ClassCompiler, "compile"> };
}

/** Context of the methods on the main thread, and the development features. */
export interface MainServed {
  readonly context: ServerContext | DevnetContext;
  /** `undefined` on a chain without development features. */
  readonly devnet: MainDevnet | undefined;
}

/**
 * Starts the development features where the role has them, and loads their dump.
 *
 * @throws {ConfigError} as {@link AutomaticDumps.start}
 */
export async function openMainContext(
  options: NodeOptions,
  needs: MainContextNeeds,
  { log, disposables }: NodeHost,
): Promise<MainServed> {
  const { setup, storage, fork, role, roles, submissions, l1, folder, reverts } = needs;
  const { queryPool, compiler, move, renew, generation } = needs;
  const { view } = storage;
  const { services } = roles;
  const { prepared } = folder;
  const served = submissions.role;
  const { origin } = fork;
  const identity = { l1Messages: l1.messages, version: options.version, fork: origin };
  if (!(services instanceof Production) || !role.contexts.main.includes("devnet")) {
    return { context: mainRpcContext(view, served, identity, undefined), devnet: undefined };
  }
  const devnet = startDevnet({
    options,
    setup,
    view,
    prepared,
    production: services,
    fork: origin,
    revert: reverts.chain,
    move,
    renew,
    queryPool,
    compiler,
    log,
  });
  const context = mainRpcContext(view, served, identity, devnet);
  const { remote } = services;
  const { nextBlock } = prepared;
  const dumps = new AutomaticDumps(disposables);
  await dumps.start({ context, remote, log, nextBlock, generation });
  return { context, devnet };
}
