import type { ExplorerStatus, RefusedBlock } from "#api/explorer/index.ts";
import { type Following, readinessOf } from "#api/rpc/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import type { MempoolListing } from "#services/admission/index.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import type { RoleName } from "../threads/roles/role.ts";

/** Parts of the node that {@link statusOf} reads. */
export interface StatusSources {
  readonly options: Pick<NodeOptions, "version">;
  readonly chain: Pick<ChainReader, "latestNumber" | "l1AcceptedNumber">;
  readonly roles: {
    readonly role: { readonly name: RoleName };
    readonly setup: Pick<NodeSetup, "config" | "devnet" | "fork" | "follow">;
    following(): Following | null;
    waiting(limit: number): Promise<MempoolListing>;
  };
  readonly leadership: { leads(): boolean };
  readonly indexed: ExplorerStatus["indexed"];
  /** Blocks that the node refused, newest first. */
  readonly refusedBlocks: readonly RefusedBlock[];
}

/** Collects the state of the node for the explorer's overview. */
export async function statusOf({
  options,
  chain,
  roles,
  leadership,
  indexed,
  refusedBlocks,
}: StatusSources): Promise<ExplorerStatus> {
  const { waiting } = await roles.waiting(0);
  const { role, setup } = roles;
  const { config, fork } = setup;
  const readiness = readinessOf(chain, roles.following());
  const { bouncer, blockTimeMs, blocksOnDemand } = config;
  const isOnDemand = blocksOnDemand || setup.devnet?.blocks === "demand";
  return {
    indexed,
    head: readiness.blockNumber ?? null,
    role: role.name,
    leader: leadership.leads() && setup.follow === null,
    lagBlocks: readiness.lagBlocks,
    ready: { isReady: readiness.ready, reason: readiness.reason ?? null },
    l1Accepted: chain.l1AcceptedNumber() ?? null,
    capacity: {
      l2GasPerBlock: bouncer.shape === "steps" ? null : bouncer.capacity.receiptL2Gas,
      blockTimeMs: isOnDemand || setup.follow !== null ? null : blockTimeMs,
    },
    waiting: setup.follow === null ? waiting : null,
    isDevnet: setup.devnet !== null,
    fork:
      fork === null
        ? null
        : {
            origin: fork.origins[0] ?? "",
            blockNumber: fork.forkBlock,
            blockHash: fork.blockHash,
          },
    refusedBlocks: setup.follow === null && refusedBlocks.length === 0 ? null : refusedBlocks,
    chainId: config.chainId,
    version: options.version,
    feeTokens: { strk: config.nativeFeeTokenAddress, eth: config.parentFeeTokenAddress },
  };
}
