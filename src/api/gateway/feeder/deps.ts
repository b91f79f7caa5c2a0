import type { MainContext, QueryPool, ResponseCache } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { GatewayContractAddresses } from "#io/feeder/index.ts";
import type { CandidateBook } from "./candidates.ts";

/** What whoever follows is told about the chain, as its configuration has it. */
export interface ChainIdentity {
  /** Of the key that signs blocks; `undefined` while a full node does not know it yet. */
  publicKey(): Felt | undefined;
  readonly addresses: GatewayContractAddresses;
  /** Address of the verifier contract on L1; `null`: none is configured. */
  readonly verifier: bigint | null;
}

/** What the routes of the feeder gateway answer with. */
export interface FeederDeps {
  /** Point reads, and the mempool. */
  readonly context: MainContext;
  /** Makes long answers. */
  readonly queryPool: QueryPool;
  /** Keeps long answers about accepted blocks; to be cleared when blocks are reverted. */
  readonly cache: ResponseCache;
  readonly identity: ChainIdentity;
  /** Transactions that were handed to the executor. */
  readonly candidates: CandidateBook;
}
