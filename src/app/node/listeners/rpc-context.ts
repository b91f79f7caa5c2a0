import type { RpcContext, TransactionSubmitter } from "#api/rpc/index.ts";
import { pendingBlock } from "../chain/environment.ts";
import type { PendingFeed } from "#services/admission/index.ts";
import type { PublishedChain } from "../chain/published-chain.ts";
import type { Clients } from "../clients/clients.ts";
import type { MainDevnet } from "../devnet/main-devnet.ts";
import { chainIdFelt, type NodeSetup } from "../setup/setup.ts";

/** What RPC methods on the main thread work with: point reads, and the way to the other threads. */
export function mainRpcContext(
  setup: NodeSetup,
  chain: PublishedChain,
  feed: PendingFeed,
  { admission, declares }: Pick<Clients, "admission" | "declares">,
  devnet?: MainDevnet,
): RpcContext {
  const submit: TransactionSubmitter = {
    submit: (transaction) => admission.submit(transaction),
    declare: (declaration) => declares.declare(declaration),
  };
  return {
    chainId: chainIdFelt(setup.config),
    limits: setup.methodLimits,
    chain,
    pending: () => pendingBlock(setup, chain, feed.current()),
    unaccepted: () => feed.current().blocks(),
    syncStatus: () => false,
    submit: devnet?.watch(submit) ?? submit,
    mempool: admission,
    ...(devnet === undefined ? {} : { devnet: devnet.access }),
  };
}
