import {
  type BlockInputs,
  decodeTransaction,
  type EncodedTransaction,
  type L1Handler,
  l1MessageHash,
} from "#protocol/chain/index.ts";
import { invariant } from "#base/errors/index.ts";
import type { ChainReader, PendingDelta, PendingOverlay } from "#engine/state/index.ts";
import type { ExecutionGuard } from "#services/admission/index.ts";
import type { BlockProducer } from "./block-producer.ts";
import type { MessageOrder, WriteOrder } from "./control-handler.ts";
import type { ControlOutcome } from "./control-messages.ts";

/** What became of a message or a write: `outcome` is `null` when it did not fit into the open block. */
export interface MessageResult {
  readonly outcome: ControlOutcome | null;
  readonly delta: PendingDelta | null;
}

/** What messages are executed with. */
export interface MessageExecutionDeps {
  readonly chain: Pick<ChainReader, "locate">;
  readonly overlay: Pick<PendingOverlay, "blocks">;
  readonly producer: Pick<BlockProducer, "executeMessage" | "writeStorage">;
  readonly guard: Pick<ExecutionGuard, "run">;
}

type Consumed = BlockInputs["l1Messages"][number];

/**
 * Executes messages from L1 and remembers where those of the open block came from; does the writes
 * that stand in their row.
 */
export class MessageExecution {
  readonly #deps: MessageExecutionDeps;
  #consumed: Consumed[] = [];

  constructor(deps: MessageExecutionDeps) {
    this.#deps = deps;
  }

  /**
   * Executes a message or does a write. A message that fails is included as reverted; one whose nonce the open block has
   * already goes into the next.
   *
   * @throws {DecodeError} when the bytes are no transaction
   */
  execute(order: MessageOrder | WriteOrder | undefined): MessageResult {
    invariant(order !== undefined, "a message or a write waits");
    return order.kind === "message" ? this.#consume(order) : this.#write(order);
  }

  #write(order: WriteOrder): MessageResult {
    const delta = this.#deps.producer.writeStorage(order);
    if (delta === null) return DOES_NOT_FIT;
    return { outcome: { kind: "included", blockNumber: delta.blockNumber }, delta };
  }

  #consume(order: MessageOrder): MessageResult {
    const message = messageOf(order.bytes);
    const { transaction } = message;
    if (this.#isKnown(message)) {
      return refused("the same message was consumed already: give it another nonce");
    }
    if (this.#consumed.some(({ nonce }) => nonce === transaction.nonce)) return DOES_NOT_FIT;
    const { producer, guard } = this.#deps;
    const { outcome, delta } = guard.run(1, () => producer.executeMessage(message));
    switch (outcome.kind) {
      case "block_full":
        return DOES_NOT_FIT;
      case "cancelled":
        return refused("the node is stopping");
      case "rejected":
        return refused(outcome.error.message);
      case "included": {
        invariant(delta !== null, "an included message has a delta");
        const consumed: Consumed = {
          transactionHash: message.hash,
          nonce: transaction.nonce,
          messageHash: l1MessageHash(transaction),
          l1TransactionHash: order.l1TransactionHash,
          l1BlockNumber: null,
        };
        this.#consumed.push(consumed);
        return {
          outcome: { kind: "included", blockNumber: delta.blockNumber },
          delta: { ...delta, l1Messages: [consumed] },
        };
      }
    }
  }

  /** The messages of the open block. */
  get consumed(): readonly Consumed[] {
    return this.#consumed;
  }

  /** The messages of the block that is sealed; the next block has none yet. */
  takeConsumed(): readonly Consumed[] {
    const consumed = this.#consumed;
    this.#consumed = [];
    return consumed;
  }

  #isKnown({ hash }: EncodedTransaction): boolean {
    const { chain, overlay } = this.#deps;
    return (
      chain.locate(hash) !== undefined ||
      overlay.blocks().some((block) => block.find(hash) !== undefined)
    );
  }
}

const DOES_NOT_FIT: MessageResult = { outcome: null, delta: null };

function refused(reason: string): MessageResult {
  return { outcome: { kind: "refused", reason }, delta: null };
}

function messageOf(bytes: Uint8Array): EncodedTransaction<L1Handler> {
  const { hash, transaction } = decodeTransaction(bytes);
  invariant(transaction.type === "L1_HANDLER", "a message is an L1 handler transaction");
  return { hash, transaction, bytes };
}
