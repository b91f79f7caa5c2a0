import type { Felt, Outlet } from "#base/primitives/index.ts";
import type { SettledOnL1, SettleOnL1 } from "#services/sequencer/index.ts";
import { ids, PendingRequests } from "./pending-requests.ts";

/** Requests from the main thread that the thread which writes the chain records L1 acceptance. */
export class Settling {
  readonly #writer: Outlet<SettleOnL1>;
  readonly #requests = new PendingRequests<boolean>(ids());

  constructor(writer: Outlet<SettleOnL1>) {
    this.#writer = writer;
  }

  /**
   * Records a block and all before it as accepted on L1.
   *
   * @returns false if this failed: the block was reverted, or the thread stopped
   */
  settle(blockNumber: number, blockHash: Felt): Promise<boolean> {
    return this.#requests.ask((id) =>
      this.#writer.send({ kind: "settleOnL1", id, blockNumber, blockHash }),
    );
  }

  /** Settles a request with the thread's reply. */
  answered({ id, isDone }: SettledOnL1): void {
    this.#requests.answer(id, isDone);
  }

  /** Settles requests in flight, because the thread has stopped or is about to. */
  interrupt(): void {
    this.#requests.answerAll(false);
  }
}
