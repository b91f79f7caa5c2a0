import type { Outlet } from "#base/primitives/index.ts";
import { DevnetFault } from "#api/rpc/index.ts";
import type {
  ControlCommand,
  ControlOutcome,
  ControlReply,
  ControlRequest,
} from "#services/sequencer/index.ts";
import { ids, PendingRequests } from "../threads/pending-requests.ts";

/** Sends commands from the main thread to the executor. */
export class ControlClient {
  readonly #executor: Outlet<ControlRequest>;
  readonly #requests = new PendingRequests<ControlOutcome>(ids());

  constructor(executor: Outlet<ControlRequest>) {
    this.#executor = executor;
  }

  /**
   * Executes a command.
   *
   * @throws {DevnetFault} with the reason why it was refused
   */
  async order<K extends Exclude<ControlOutcome["kind"], "refused">>(
    command: ControlCommand,
    expected: K,
  ): Promise<Extract<ControlOutcome, { readonly kind: K }>> {
    const outcome = await this.ask(command);
    if (outcome.kind === "refused") throw new DevnetFault(outcome.reason);
    if (outcome.kind !== expected) throw new DevnetFault(`the executor answered ${outcome.kind}`);
    return outcome as Extract<ControlOutcome, { readonly kind: K }>;
  }

  /** Executes a command, and returns its outcome, a refusal too. */
  ask(command: ControlCommand): Promise<ControlOutcome> {
    return this.#requests.ask((id) => this.#executor.send({ kind: "control", id, command }));
  }

  /** Settles a command with the executor's reply. */
  answered({ id, outcome }: ControlReply): void {
    this.#requests.answer(id, outcome);
  }

  /** Rejects commands in flight, because the executor has stopped without answering them. */
  interrupt(): void {
    const reason = "the chain was reverted to an earlier block meanwhile";
    this.#requests.answerAll({ kind: "refused", reason });
  }

  /** Rejects commands in flight, because the executor will not answer them. */
  stop(): void {
    this.#requests.answerAll({ kind: "refused", reason: "the node is stopping" });
  }
}
