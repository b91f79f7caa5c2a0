import type { SubmitClient } from "#api/rpc/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type AccountTransaction,
  encodeUnhashed,
  nonceOf,
  senderAddressOf,
  transactionHash,
} from "#protocol/chain/index.ts";
import { type Declaration, encodeDeclaration } from "#services/admission/index.ts";
import {
  type HoldableSubmission,
  type SubmitAnswer,
  type SubmitRefusal,
  TAKEOVER_HOLD_LIMITS,
  TakeoverHold,
} from "#services/sync/index.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import { inclusionOf } from "../storage/chain/inclusion.ts";
import type { ServedRole } from "../query/rpc/rpc-context.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { ReplicationOptions } from "../setup/replication.ts";
import { chainIdFelt, type NodeSetup } from "../setup/setup.ts";

/** Other parts of the node that {@link holdSubmissions} uses. */
export interface SubmissionsNeeds {
  readonly setup: Pick<NodeSetup, "config">;
  readonly storage: { readonly view: Pick<ChainView, "hasAccount" | "chain" | "feed"> };
  /** Hashes classes. */
  readonly queryPool: Pick<WorkerQueryPool, "prepare">;
  readonly roles: ServedRole;
}

/** A role whose submissions are held while no sequencer leads. */
export interface HeldSubmissions {
  readonly role: ServedRole;
  /** Answers held submissions, because the node is stopping. */
  readonly stop: () => void;
}

/**
 * Holds submissions while the chain changes its leader, as {@link TakeoverHold}. They are then forwarded to
 * the next leader, or executed here if this node becomes it.
 * Without `replication` the chain has a single sequencer, and nothing is held.
 */
export function holdSubmissions(
  { replication }: { readonly replication: Pick<ReplicationOptions, "takeoverHoldMs"> | null },
  { setup, storage: { view }, queryPool, roles: role }: SubmissionsNeeds,
  {
    metrics,
    timer,
  }: Pick<NodeHost, "timer"> & { readonly metrics: Pick<NodeMetrics, "replication"> },
): HeldSubmissions {
  if (replication === null) return { role, stop: () => undefined };
  const hold = new TakeoverHold({
    limits: { ...TAKEOVER_HOLD_LIMITS, maxMs: replication.takeoverHoldMs },
    onHeld: (count) => metrics.replication.heldSubmissions.set(count),
    timer,
  });
  const chainId = chainIdFelt(setup.config);
  const isIncluded = (hash: Felt): boolean => inclusionOf(view, hash) !== undefined;
  const hasAccount = (sender: Felt) => () => view.hasAccount(sender);
  const ofTransaction = (
    transaction: AccountTransaction,
    client: SubmitClient,
  ): HoldableSubmission => {
    const sender = senderAddressOf(transaction);
    return {
      sender,
      nonce: nonceOf(transaction),
      sizeBytes: () => encodeUnhashed(transaction).byteLength,
      hasAccount: hasAccount(sender),
      attempt: () => role.submit.submit(transaction, client),
      refused: (refusal) =>
        Promise.resolve(
          refusal.code === "DUPLICATE_TX" ? receivedAs(transaction, chainId) : refusal,
        ),
      signal: client.signal,
    };
  };
  const ofDeclaration = (declaration: Declaration, client: SubmitClient): HoldableSubmission => {
    const { senderAddress: sender, nonce } = declaration.transaction;
    return {
      sender,
      nonce,
      sizeBytes: () => encodeDeclaration(declaration).byteLength,
      hasAccount: hasAccount(sender),
      attempt: () => role.submit.declare(declaration, client),
      refused: (refusal) => declaredAs(declaration, refusal, { queryPool, isIncluded }),
      signal: client.signal,
    };
  };
  return {
    role: {
      get setup() {
        return role.setup;
      },
      submit: {
        submit: (...sent) => hold.run(ofTransaction(...sent)),
        declare: (...sent) => hold.run(ofDeclaration(...sent)),
      },
      mempool: role.mempool,
      waiting: (limit) => role.waiting(limit),
      syncStatus: () => role.syncStatus(),
    },
    stop: () => hold.stop(),
  };
}

/** Success response for a transaction that a sequencer already has. */
function receivedAs(transaction: AccountTransaction, chainId: Felt): SubmitAnswer {
  const hash = transactionHash(transaction, chainId);
  return transaction.type === "DEPLOY_ACCOUNT"
    ? {
        kind: "accepted",
        transactionHash: hash,
        contractAddress: transaction.contractAddress,
      }
    : { kind: "accepted", transactionHash: hash };
}

/**
 * Success response for a declaration that a sequencer already has, otherwise the refusal. A sequencer checks
 * the nonce before it hashes the class, so it refuses an included declaration by its nonce.
 */
async function declaredAs(
  declaration: Declaration,
  refusal: SubmitRefusal,
  {
    queryPool,
    isIncluded,
  }: Pick<SubmissionsNeeds, "queryPool"> & { readonly isIncluded: (hash: Felt) => boolean },
): Promise<SubmitAnswer> {
  const named = await queryPool.prepare(encodeDeclaration(declaration), "names");
  if (named?.kind !== "prepared") return refusal;
  const { hash, transaction } = named.hashed;
  return refusal.code === "DUPLICATE_TX" || isIncluded(hash)
    ? { kind: "accepted", transactionHash: hash, classHash: transaction.classHash }
    : refusal;
}
