import {
  type BlockInputs,
  decodeTransaction,
  type EncodedTransaction,
  type L1Handler,
  l1MessageHash,
} from "#protocol/chain/index.ts";
import { invariant, OriginError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader, PendingDelta, PendingOverlay } from "#engine/state/index.ts";
import type { ExecutionGuard } from "#services/admission/index.ts";
import { attempt } from "./batch-result.ts";
import type { BlockProducer } from "./block-producer.ts";
import type { MessageOrder, WriteOrder } from "./control-handler.ts";
import type { MessageSuspects } from "./message-suspects.ts";
import { changeOf } from "./state-decision.ts";
import type { ControlOutcome, MessageFromL1, MessageOutcome } from "./control-messages.ts";

/** Result of a message or write; `outcome` is `null` if it did not fit into the open block. */
export interface MessageResult {
  readonly outcome: ControlOutcome | null;
  readonly delta: PendingDelta | null;
}

/** Options of one run of messages. */
export interface MessageTurn {
  /** Attempt as in the journal: above 1 for a single message that may be blamed for a crash. */
  readonly attempt: number;
  readonly suspects: Pick<MessageSuspects, "refusalOf" | "executed">;
  /** Sends the included messages to readers. */
  readonly settle: (delta: PendingDelta) => void;
}

/** Result of one run of messages. */
export interface MessagesResult {
  /** Outcomes of the first messages; the others stay queued. */
  readonly outcomes: readonly MessageOutcome[];
  /** Whether a message did not fit, so that the block must be closed. */
  readonly full: boolean;
  /** Whether the first message left needs a value that the fork's origin did not return. */
  readonly isPostponed: boolean;
}

/** Dependencies of a {@link MessageExecution}. */
export interface MessageExecutionDeps {
  readonly chain: Pick<ChainReader, "locate" | "consumedL1Message">;
  readonly overlay: Pick<PendingOverlay, "blocks">;
  readonly producer: Pick<
    BlockProducer,
    "executeMessage" | "takeDelta" | "changeState" | "contentCount"
  >;
  readonly guard: Pick<ExecutionGuard, "run" | "beforeBlock">;
  /** Processor time of this thread, in milliseconds. */
  readonly processorMs: () => number;
}

/** Processor time after which a run of messages ends and leaves the rest queued; milliseconds. */
export const MESSAGES_MS = 250;

type Consumed = BlockInputs["l1Messages"][number];

type Origin = Pick<Consumed, "l1TransactionHash" | "l1BlockNumber">;

/**
 * Executes messages from L1 and records the origins of those in the open block; also performs writes queued
 * among them. A message whose execution fails is included as reverted: L1 counts it as consumed.
 */
export class MessageExecution {
  readonly #deps: MessageExecutionDeps;
  /** Messages of the open block by nonce, in their order. */
  readonly #consumed = new Map<bigint, Consumed>();
  /** Messages of the open block that no delta contains yet. */
  #unsent: Consumed[] = [];

  constructor(deps: MessageExecutionDeps) {
    this.#deps = deps;
  }

  /**
   * Executes a message of a local request, or performs a write. A message whose nonce is already in the open
   * block goes into the next one.
   *
   * @throws {DecodeError} when the bytes are not a transaction
   */
  execute(order: MessageOrder | WriteOrder | undefined): MessageResult {
    invariant(order !== undefined, "a message or a write waits");
    return order.kind === "message" ? this.#consume(order) : this.#write(order);
  }

  /**
   * Executes messages from L1 in their order, for {@link MESSAGES_MS} and at least one. Skips messages whose
   * nonce is consumed.
   *
   * @throws {DecodeError} when bytes are not a transaction
   */
  executeAll(messages: readonly MessageFromL1[], turn: MessageTurn): MessagesResult {
    const { guard, processorMs } = this.#deps;
    const endsAtMs = processorMs() + MESSAGES_MS;
    const outcomes: (MessageOutcome | "included")[] = [];
    let full = false;
    let isPostponed = false;
    const delta = guard.run(turn.attempt, () => {
      for (const message of messages) {
        const outcome = this.#consumeNext(message, turn);
        full = outcome === "full";
        isPostponed = outcome === "postponed";
        if (outcome === "full" || outcome === "stopped" || outcome === "postponed") break;
        outcomes.push(outcome);
        if (processorMs() >= endsAtMs) break;
      }
      const included = this.#takeDelta();
      if (included === null) return null;
      guard.beforeBlock(included.transactions.map(({ hash }) => hash));
      turn.settle(included);
      return included;
    });
    return { outcomes: outcomes.map((outcome) => outcomeIn(outcome, delta)), full, isPostponed };
  }

  #consumeNext(
    order: MessageFromL1,
    { suspects }: MessageTurn,
  ): MessageOutcome | "included" | "full" | "stopped" | "postponed" {
    const message = messageOf(order.bytes);
    if (this.#isKnown(message) || this.#isNonceKnown(message.transaction.nonce)) return KNOWN;
    const reason = suspects.refusalOf(message.hash);
    if (reason !== undefined) return { kind: "refused", reason };
    const { producer } = this.#deps;
    const outcome = attempt(() => producer.executeMessage(message));
    if (outcome.kind === "postponed") return "postponed";
    if (outcome.kind !== "block_full") suspects.executed(message.hash);
    switch (outcome.kind) {
      case "included":
        this.#include(message, order);
        return "included";
      case "rejected":
        return { kind: "refused", reason: outcome.error.message };
      case "block_full":
        if (producer.contentCount > 0) return "full";
        return { kind: "refused", reason: "it does not fit into any block" };
      case "cancelled":
        return "stopped";
    }
  }

  #write(order: WriteOrder): MessageResult {
    let delta: ReturnType<BlockProducer["changeState"]>;
    try {
      delta = this.#deps.producer.changeState((...on) => changeOf(order, ...on));
    } catch (error) {
      if (!(error instanceof OriginError)) throw error;
      return originLost(error.message);
    }
    if (delta === null) return DOES_NOT_FIT;
    if ("reason" in delta) return { outcome: delta, delta: null };
    return { outcome: { kind: "included", blockNumber: delta.blockNumber }, delta };
  }

  #consume(order: MessageOrder): MessageResult {
    const message = messageOf(order.bytes);
    if (this.#isKnown(message)) {
      return refused("the same message was already consumed: use another nonce");
    }
    if (this.#consumed.has(message.transaction.nonce)) return DOES_NOT_FIT;
    const { producer, guard } = this.#deps;
    const outcome = guard.run(1, () => attempt(() => producer.executeMessage(message)));
    switch (outcome.kind) {
      case "postponed":
        return originLost(outcome.reason);
      case "block_full":
        return DOES_NOT_FIT;
      case "cancelled":
        return refused("the node is stopping");
      case "rejected":
        return refused(outcome.error.message);
      case "included": {
        this.#include(message, { ...order, l1BlockNumber: null });
        const delta = this.#takeDelta();
        invariant(delta !== null, "an included message has a delta");
        return { outcome: { kind: "included", blockNumber: delta.blockNumber }, delta };
      }
    }
  }

  get consumed(): readonly Consumed[] {
    return [...this.#consumed.values()];
  }

  /** Removes and returns the messages of the sealed block; the next block has none yet. */
  takeConsumed(): readonly Consumed[] {
    const { consumed } = this;
    this.#consumed.clear();
    return consumed;
  }

  #include(
    { hash, transaction }: EncodedTransaction<L1Handler>,
    { l1TransactionHash, l1BlockNumber }: Origin,
  ): void {
    const consumed: Consumed = {
      transactionHash: hash,
      nonce: transaction.nonce,
      messageHash: l1MessageHash(transaction),
      l1TransactionHash,
      l1BlockNumber,
    };
    this.#consumed.set(transaction.nonce, consumed);
    this.#unsent.push(consumed);
  }

  #takeDelta(): PendingDelta | null {
    const delta = this.#deps.producer.takeDelta();
    const l1Messages = this.#unsent;
    this.#unsent = [];
    return delta === undefined ? null : { ...delta, l1Messages };
  }

  #isKnown({ hash }: { readonly hash: Felt }): boolean {
    const { chain, overlay } = this.#deps;
    return (
      chain.locate(hash) !== undefined ||
      overlay.blocks().some((block) => block.find(hash) !== undefined)
    );
  }

  #isNonceKnown(nonce: bigint): boolean {
    const { chain, overlay } = this.#deps;
    return (
      this.#consumed.has(nonce) ||
      chain.consumedL1Message(nonce) !== undefined ||
      overlay.blocks().some((block) => block.consumedL1Message?.(nonce) !== undefined)
    );
  }
}

const DOES_NOT_FIT: MessageResult = { outcome: null, delta: null };

const KNOWN: MessageOutcome = { kind: "known" };

/** Fills in the block number: all messages of one run are in the same block. */
function outcomeIn(
  outcome: MessageOutcome | "included",
  delta: PendingDelta | null,
): MessageOutcome {
  if (outcome !== "included") return outcome;
  invariant(delta !== null, "an included message has a delta");
  return { kind: "included", blockNumber: delta.blockNumber };
}

function refused(reason: string): MessageResult {
  return { outcome: { kind: "refused", reason }, delta: null };
}

function originLost(reason: string): MessageResult {
  return { outcome: { kind: "refused", reason, isOriginLost: true }, delta: null };
}

function messageOf(bytes: Uint8Array): EncodedTransaction<L1Handler> {
  const { hash, transaction } = decodeTransaction(bytes);
  invariant(transaction.type === "L1_HANDLER", "a message is an L1 handler transaction");
  return { hash, transaction, bytes };
}
