import type { Outlet } from "#base/primitives/index.ts";
import { DevnetFault } from "#api/rpc/index.ts";
import type {
  ControlCommand,
  ControlOutcome,
  ControlReply,
  ControlRequest,
} from "#services/sequencer/index.ts";
import { ids, OpenQuestions } from "../threads/open-questions.ts";

/** The main thread's way to tell the executor what to do. */
export class ControlClient {
  readonly #executor: Outlet<ControlRequest>;
  readonly #questions = new OpenQuestions<ControlOutcome>(ids());

  constructor(executor: Outlet<ControlRequest>) {
    this.#executor = executor;
  }

  /**
   * Has a command done.
   *
   * @throws {DevnetFault} why nothing was done
   */
  async order<K extends Exclude<ControlOutcome["kind"], "refused">>(
    command: ControlCommand,
    expected: K,
  ): Promise<Extract<ControlOutcome, { readonly kind: K }>> {
    const outcome = await this.#questions.ask((id) =>
      this.#executor.send({ kind: "control", id, command }),
    );
    if (outcome.kind === "refused") throw new DevnetFault(outcome.reason);
    if (outcome.kind !== expected) throw new DevnetFault(`the executor answered ${outcome.kind}`);
    return outcome as Extract<ControlOutcome, { readonly kind: K }>;
  }

  /** The executor answers. */
  answered({ id, outcome }: ControlReply): void {
    this.#questions.answer(id, outcome);
  }

  /** The executor is gone with what it was told and has not answered. */
  interrupt(): void {
    const reason = "the chain was reverted to an earlier block meanwhile";
    this.#questions.answerAll({ kind: "refused", reason });
  }

  /** Ends what waits: the executor is not going to answer any more. */
  stop(): void {
    this.#questions.answerAll({ kind: "refused", reason: "the node is stopping" });
  }
}
