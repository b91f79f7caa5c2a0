import {
  type ChainContracts,
  type DevnetContext,
  type FetchedOrigin,
  type L1MessageLookup,
  type MempoolLookup,
  type NodeIdentity,
  type ServerContext,
  type SyncStatus,
  type TransactionSubmitter,
} from "#api/rpc/index.ts";
import type { MempoolListing } from "#services/admission/index.ts";
import { pendingBlock } from "../../setup/environment.ts";
import type { ChainView } from "../../storage/chain/chain-view.ts";
import type { MainDevnet } from "./main-devnet.ts";
import { chainIdFelt, type NodeSetup } from "../../setup/setup.ts";

/** Interface to the node's role for methods on the main thread. */
export interface ServedRole {
  /** Current setup of the role's threads. */
  readonly setup: NodeSetup;
  readonly submit: TransactionSubmitter;
  readonly mempool: MempoolLookup;
  waiting(limit: number): Promise<MempoolListing>;
  syncStatus(): SyncStatus | false;
}

/** Returns a role with another submitter. */
export function withSubmitter(role: ServedRole, submit: TransactionSubmitter): ServedRole {
  return {
    get setup() {
      return role.setup;
    },
    submit,
    mempool: role.mempool,
    waiting: (limit) => role.waiting(limit),
    syncStatus: () => role.syncStatus(),
  };
}

/**
 * Parts of the main thread's method context that do not depend on the role: L1 messages, program
 * version, and fork.
 */
export interface MainParts {
  readonly l1Messages: L1MessageLookup;
  /** Version of the program. */
  readonly version: string;
  readonly fork: FetchedOrigin | null;
}

/**
 * Context of the RPC methods on the main thread: point reads, and access to the other threads. A development
 * chain adds its developer methods.
 */
export function mainRpcContext(
  { chain, feed }: Pick<ChainView, "chain" | "feed">,
  role: ServedRole,
  { l1Messages, version, fork }: MainParts,
  devnet: MainDevnet | undefined,
): ServerContext | DevnetContext {
  const { setup } = role;
  const context: ServerContext = {
    chainId: chainIdFelt(setup.config),
    node: { version, kind: kindOf(setup) },
    contracts: contractsOf(setup),
    limits: setup.methodLimits,
    chain,
    pending: () => pendingBlock(role.setup, chain, feed.current()),
    unaccepted: () => feed.current().blocks(),
    fork,
    syncStatus: () => role.syncStatus(),
    submit: role.submit,
    mempool: withMessages(role.mempool, l1Messages),
    waiting: (limit) => role.waiting(limit),
    l1Messages,
  };
  if (devnet === undefined) return context;
  return { ...context, submit: devnet.watch(role.submit), devnet: devnet.access };
}

function kindOf({ devnet, follow }: NodeSetup): NodeIdentity["kind"] {
  if (devnet !== null) return "development";
  return follow === null ? "sequencer" : "full";
}

function contractsOf({ config }: NodeSetup): ChainContracts {
  return {
    coreContract: config.ethCoreContractAddress,
    nativeFeeToken: config.nativeFeeTokenAddress,
    parentFeeToken: config.parentFeeTokenAddress,
  };
}

/** Adds waiting messages from L1 to the lookup: they count as received, like the mempool's content. */
function withMessages(mempool: MempoolLookup, l1Messages: L1MessageLookup): MempoolLookup {
  return {
    async find(hash) {
      const found = await mempool.find(hash);
      if (found !== undefined || !l1Messages.isWaiting(hash)) return found;
      return { hash, transaction: undefined, isCandidate: false };
    },
    rejectionOf: (hash) => mempool.rejectionOf(hash),
  };
}
