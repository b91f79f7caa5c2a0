import type { NodeMetrics } from "#base/metrics/index.ts";
import type { Felt, Timer } from "#base/primitives/index.ts";
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
  TAKEOVER_HOLD_LIMITS,
  TakeoverHold,
} from "#services/sync/index.ts";
import type { ChainView } from "../chain/chain-view.ts";
import type { ServedRole } from "../listeners/rpc-context.ts";
import type { ReplicationOptions } from "../setup/replication.ts";
import { chainIdFelt, type NodeSetup } from "../setup/setup.ts";

/** Dependencies of {@link holdSubmissions}. */
export interface HeldSubmissionsDeps {
  readonly setup: Pick<NodeSetup, "config">;
  readonly view: Pick<ChainView, "hasAccount">;
  readonly metrics: Pick<NodeMetrics, "replication">;
  readonly timer: Timer;
}

/** A role whose submissions are held while no sequencer leads. */
export interface HeldSubmissions {
  readonly role: ServedRole;
  /** Answers held submissions: the node is stopping. */
  readonly stop: () => void;
}

/**
 * Holds submissions to a node while its chain changes the leader, as {@link TakeoverHold}: they are forwarded
 * to the next leader, or executed here where this node becomes it.
 *
 * @param replication - `null`: the chain has one sequencer, and nothing is held
 */
export function holdSubmissions(
  role: ServedRole,
  replication: Pick<ReplicationOptions, "takeoverHoldMs"> | null,
  { setup, view, metrics, timer }: HeldSubmissionsDeps,
): HeldSubmissions {
  if (replication === null) return { role, stop: () => undefined };
  const hold = new TakeoverHold({
    limits: { ...TAKEOVER_HOLD_LIMITS, maxMs: replication.takeoverHoldMs },
    onHeld: (count) => metrics.replication.heldSubmissions.set(count),
    timer,
  });
  const chainId = chainIdFelt(setup.config);
  const hasAccount = (sender: Felt) => () => view.hasAccount(sender);
  const ofTransaction = (transaction: AccountTransaction): Omit<HoldableSubmission, "signal"> => {
    const sender = senderAddressOf(transaction);
    return {
      sender,
      nonce: nonceOf(transaction),
      sizeBytes: () => encodeUnhashed(transaction).byteLength,
      hasAccount: hasAccount(sender),
      attempt: () => role.submit.submit(transaction),
      received: () => receivedAs(transaction, chainId),
    };
  };
  const ofDeclaration = (declaration: Declaration): Omit<HoldableSubmission, "signal"> => {
    const { senderAddress: sender, nonce } = declaration.transaction;
    return {
      sender,
      nonce,
      sizeBytes: () => encodeDeclaration(declaration).byteLength,
      hasAccount: hasAccount(sender),
      attempt: () => role.submit.declare(declaration),
      // Without the class hash there is no answer in order, and hashing a class takes this thread too long.
      received: (duplicate) => duplicate,
    };
  };
  return {
    role: {
      get setup() {
        return role.setup;
      },
      submit: {
        submit: (transaction, client) =>
          hold.run({ ...ofTransaction(transaction), signal: client?.signal }),
        declare: (declaration, client) =>
          hold.run({ ...ofDeclaration(declaration), signal: client?.signal }),
      },
      mempool: role.mempool,
      syncStatus: () => role.syncStatus(),
    },
    stop: () => hold.stop(),
  };
}

/** The answer in order for a transaction that a sequencer has. */
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
