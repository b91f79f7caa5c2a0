import { protocolRules } from "#protocol/versions/index.ts";
import {
  pedersenArray,
  pedersenBatch,
  poseidonManyBatch,
  starknetKeccak,
} from "#protocol/crypto/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockBody, BlockCommitments, BlockEvent } from "./block.ts";
import { IndexTree } from "./index-tree.ts";
import type { MessageToL1, Receipt } from "./receipt.ts";
import { stateDiffCommitment } from "./state-diff-commitment.ts";
import { stateDiffLength } from "./state-diff.ts";
import type { HashedTransaction, Transaction } from "./transaction.ts";

/**
 * Computes all commitments and counts of a block; does not need the state root.
 *
 * Headers before protocol 0.13.2 lack the receipt and state diff commitments; these follow today's rule.
 */
export function computeCommitments(body: BlockBody, protocolVersion: string): BlockCommitments {
  const commitments = new IncrementalCommitments(protocolVersion);
  commitments.add(body.transactions, body.receipts);
  return commitments.finish(body.stateDiff);
}

/** Commitments of a block whose transactions arrive in batches; each batch is hashed on arrival. */
export class IncrementalCommitments {
  readonly #protocolVersion: string;
  readonly #transactions: IndexTree;
  readonly #events: IndexTree;
  readonly #receipts = new IndexTree("poseidon");
  #transactionCount = 0;
  #eventCount = 0;

  constructor(protocolVersion: string) {
    const hash = protocolRules(protocolVersion).blockCommitments;
    this.#protocolVersion = protocolVersion;
    this.#transactions = new IndexTree(hash);
    this.#events = new IndexTree(hash);
  }

  /** Adds the next transactions and their receipts, in the same order. */
  add(transactions: readonly HashedTransaction[], receipts: readonly Receipt[]): void {
    const events = blockEvents(receipts);
    this.#transactions.add(transactionLeaves(transactions, this.#protocolVersion));
    this.#events.add(eventLeaves(events, this.#protocolVersion));
    this.#receipts.add(receiptLeaves(receipts));
    this.#transactionCount += transactions.length;
    this.#eventCount += events.length;
  }

  /** Returns the commitments over everything added; see {@link computeCommitments}. */
  finish(stateDiff: BlockBody["stateDiff"]): BlockCommitments {
    return {
      transactionCommitment: this.#transactions.root(),
      eventCommitment: this.#events.root(),
      receiptCommitment: this.#receipts.root(),
      stateDiffCommitment: stateDiffCommitment(stateDiff),
      transactionCount: this.#transactionCount,
      eventCount: this.#eventCount,
      stateDiffLength: stateDiffLength(stateDiff),
    };
  }
}

/** Events of a block in order, each with its transaction hash. */
export function blockEvents(receipts: readonly Receipt[]): BlockEvent[] {
  return receipts.flatMap(({ transactionHash, events }) =>
    events.map((event) => ({ transactionHash, event })),
  );
}

/** Leaves of the transaction commitment under the rules of a protocol version. */
export function transactionLeaves(
  transactions: readonly HashedTransaction[],
  protocolVersion: string,
): Felt[] {
  const rules = protocolRules(protocolVersion);
  if (rules.blockCommitments === "poseidon") {
    const unsigned = rules.zeroForUnsigned ? [0n] : [];
    return poseidonManyBatch(
      transactions.map(({ hash, transaction }) => {
        const signature = signatureOf(transaction);
        return [hash, ...(signature.length === 0 ? unsigned : signature)];
      }),
    );
  }
  const coversAll = rules.committedSignatures === "all";
  return pedersenBatch(
    transactions.flatMap(({ hash, transaction }) => {
      const covered = coversAll || transaction.type === "INVOKE";
      return [hash, pedersenArray(covered ? signatureOf(transaction) : [])];
    }),
  );
}

/** Leaves of the event commitment under the rules of a protocol version. */
export function eventLeaves(events: readonly BlockEvent[], protocolVersion: string): Felt[] {
  if (protocolRules(protocolVersion).blockCommitments === "poseidon") {
    return poseidonManyBatch(
      events.map(({ transactionHash, event: { fromAddress, keys, data } }) => {
        const head = [fromAddress, transactionHash];
        return [...head, BigInt(keys.length), ...keys, BigInt(data.length), ...data];
      }),
    );
  }
  return events.map(({ event: { fromAddress, keys, data } }) =>
    pedersenArray([fromAddress, pedersenArray(keys), pedersenArray(data)]),
  );
}

/** Leaves of the receipt commitment (protocol 0.13.2 and later). */
export function receiptLeaves(receipts: readonly Receipt[]): Felt[] {
  const messageHashes = poseidonManyBatch(receipts.map(({ messages }) => messageFields(messages)));
  return poseidonManyBatch(
    receipts.map((receipt, i) => [
      receipt.transactionHash,
      receipt.actualFee,
      messageHashes[i] ?? 0n,
      receipt.status.kind === "reverted" ? starknetKeccak(receipt.status.reason) : 0n,
      // The leaf reserves a field for L2 gas, which is always 0.
      0n,
      receipt.gas.l1Gas,
      receipt.gas.l1DataGas,
    ]),
  );
}

function messageFields(messages: readonly MessageToL1[]): Felt[] {
  const fields = [BigInt(messages.length)];
  for (const { fromAddress, toAddress, payload } of messages) {
    fields.push(fromAddress, toAddress, BigInt(payload.length), ...payload);
  }
  return fields;
}

function signatureOf(transaction: Transaction): readonly Felt[] {
  return transaction.type === "DEPLOY" || transaction.type === "L1_HANDLER"
    ? []
    : transaction.signature;
}
