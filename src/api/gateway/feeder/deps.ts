import type { MainContext, QueryPool, ResponseCache } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { GatewayContractAddresses } from "#io/feeder/index.ts";
import type { CandidateBook } from "./candidates.ts";

/** Configured facts about the chain that the feeder gateway reports. */
export interface ChainIdentity {
  /** Public key of the block signer; `undefined` until a full node has learned it. */
  publicKey(): Felt | undefined;
  readonly addresses: GatewayContractAddresses;
  /** Address of the verifier contract on L1; `null` if none is configured. */
  readonly verifier: bigint | null;
}

/** Dependencies of the feeder gateway's routes. */
export interface FeederDeps {
  /** Serves point reads and mempool lookups. */
  readonly context: MainContext;
  readonly queryPool: QueryPool;
  /** Caches long responses about accepted blocks; the owner clears it when blocks are reverted. */
  readonly cache: ResponseCache;
  readonly identity: ChainIdentity;
  /** Transactions that were passed to the executor. */
  readonly candidates: CandidateBook;
}
