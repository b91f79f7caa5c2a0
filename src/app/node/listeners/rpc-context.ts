import type {
  MempoolLookup,
  RpcContext,
  SyncStatus,
  TransactionSubmitter,
} from "#api/rpc/index.ts";
import { pendingBlock } from "../chain/environment.ts";
import type { ChainView } from "../chain/chain-view.ts";
import type { MainDevnet } from "../devnet/main-devnet.ts";
import { chainIdFelt, type NodeSetup } from "../setup/setup.ts";

/** What methods on the main thread need of the node's role. */
export interface ServedRole {
  readonly submit: TransactionSubmitter;
  readonly mempool: Required<MempoolLookup>;
  syncStatus(): SyncStatus | false;
}

/** What RPC methods on the main thread work with: point reads, and the way to the other threads. */
export function mainRpcContext(
  setup: NodeSetup,
  { chain, feed }: Pick<ChainView, "chain" | "feed">,
  role: ServedRole,
  devnet: MainDevnet | undefined,
): RpcContext {
  return {
    chainId: chainIdFelt(setup.config),
    limits: setup.methodLimits,
    chain,
    pending: () => pendingBlock(setup, chain, feed.current()),
    unaccepted: () => feed.current().blocks(),
    syncStatus: () => role.syncStatus(),
    submit: devnet?.watch(role.submit) ?? role.submit,
    mempool: role.mempool,
    ...(devnet === undefined ? {} : { devnet: devnet.access }),
  };
}
