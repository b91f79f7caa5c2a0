import type { Felt, Outlet } from "#base/primitives/index.ts";
import type { SettledOnL1, SettleOnL1 } from "#services/sequencer/index.ts";
import { ids, OpenQuestions } from "./open-questions.ts";

/** The main thread's way to have blocks recorded as accepted on L1 by the thread that writes the chain. */
export class Settling {
  readonly #writer: Outlet<SettleOnL1>;
  readonly #questions = new OpenQuestions<boolean>(ids());

  constructor(writer: Outlet<SettleOnL1>) {
    this.#writer = writer;
  }

  /**
   * Has a block and all before it recorded as accepted on L1.
   *
   * @returns false when that was not done: the block is gone, or the thread is
   */
  settle(blockNumber: number, blockHash: Felt): Promise<boolean> {
    return this.#questions.ask((id) =>
      this.#writer.send({ kind: "settleOnL1", id, blockNumber, blockHash }),
    );
  }

  /** The thread answers. */
  answered({ id, isDone }: SettledOnL1): void {
    this.#questions.answer(id, isDone);
  }

  /** The thread is gone with what it was told, or is about to be. */
  interrupt(): void {
    this.#questions.answerAll(false);
  }
}
