import {
  DevnetFault,
  type MadeBlock,
  type MadeMessage,
  type MockMessageToL2,
} from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader, PendingOverlay } from "#engine/state/index.ts";
import type { ControlClient } from "./control-client.ts";
import type { Progress } from "./progress.ts";
import { l1HandlerOf } from "./l1-message.ts";

/** Dependencies of {@link BlockOrders}. */
export interface BlockOrdersDeps {
  readonly chainId: Felt;
  readonly chain: Pick<ChainReader, "header" | "latestNumber">;
  /** Pending blocks above the chain. */
  readonly overlay: () => Pick<PendingOverlay, "newest">;
  readonly control: Pick<ControlClient, "order">;
  readonly progress: Pick<Progress, "accepted">;
}

/** Makes the executor close blocks for the operator, on any kind of chain. */
export class BlockOrders {
  readonly #deps: BlockOrdersDeps;
  /** Blocks with messages that are being closed: one order closes the block for all of its messages. */
  readonly #closing = new Map<number, Promise<MadeBlock>>();

  constructor(deps: BlockOrdersDeps) {
    this.#deps = deps;
  }

  /**
   * Closes the pending block, even if it is empty; resolves when it is accepted.
   *
   * @throws {DevnetFault} with the reason why it was not closed
   */
  async close(): Promise<MadeBlock> {
    const { control } = this.#deps;
    const { blockNumber } = await control.order({ kind: "createBlock", fresh: false }, "sealed");
    return this.#accepted(blockNumber);
  }

  /**
   * Executes a message and closes its block; resolves when the block is accepted, so that the message is
   * durable.
   *
   * @throws {DevnetFault} with the reason why it was not executed
   */
  async addMessage(message: MockMessageToL2): Promise<MadeMessage> {
    const { control, chainId } = this.#deps;
    const { hash: transactionHash, bytes } = l1HandlerOf(message, chainId);
    const { l1TransactionHash } = message;
    const order = { kind: "message", bytes, l1TransactionHash } as const;
    const { blockNumber } = await control.order(order, "included");
    return { transactionHash, block: await this.#closed(blockNumber) };
  }

  #closed(blockNumber: number): Promise<MadeBlock> {
    const known = this.#closing.get(blockNumber);
    if (known !== undefined) return known;
    const closing = this.#closeAt(blockNumber).finally(() => this.#closing.delete(blockNumber));
    this.#closing.set(blockNumber, closing);
    return closing;
  }

  async #closeAt(blockNumber: number): Promise<MadeBlock> {
    const { chain, control, overlay } = this.#deps;
    const newest = overlay().newest()?.info.number ?? chain.latestNumber() ?? -1;
    // The chain's rules may have closed the block meanwhile.
    if (newest <= blockNumber && (chain.latestNumber() ?? -1) < blockNumber) {
      await control.order({ kind: "createBlock", fresh: false }, "sealed");
    }
    return this.#accepted(blockNumber);
  }

  async #accepted(blockNumber: number): Promise<MadeBlock> {
    const { chain, progress } = this.#deps;
    await progress.accepted(blockNumber);
    const header = chain.header(blockNumber);
    if (header === undefined) throw new DevnetFault(`block ${blockNumber} is gone`);
    return { number: blockNumber, hash: header.hash };
  }
}
