import { OriginError } from "#base/errors/index.ts";
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
  readonly #origins: readonly string[];
  readonly #requests = new PendingRequests<ControlOutcome>(ids());
  #isStopped = false;

  /** @param origins - scheme, host and port of each URL of a fork's origin; empty on other chains */
  constructor(executor: Outlet<ControlRequest>, origins: readonly string[]) {
    this.#executor = executor;
    this.#origins = origins;
  }

  /**
   * Executes a command.
   *
   * @throws {DevnetFault} with the reason why it was refused
   * @throws {OriginError} as {@link ask}
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

  /**
   * Executes a command, and returns its outcome, a refusal too.
   *
   * @throws {OriginError} when a value of the fork's origin is missing: nothing was done
   */
  async ask(command: ControlCommand): Promise<ControlOutcome> {
    if (this.#isStopped) return STOPPED;
    const outcome = await this.#requests.ask((id) =>
      this.#executor.send({ kind: "control", id, command }),
    );
    if (outcome.kind !== "refused" || outcome.isOriginLost !== true) return outcome;
    const { reason } = outcome;
    const isNamed = this.#origins.some((origin) => reason.includes(origin));
    const message = isNamed ? reason : `${this.#origins.join(", ")}: ${reason}`;
    throw new OriginError("ORIGIN_UNAVAILABLE", message, true);
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

  /** Rejects commands in flight, and later ones, because the executor will not answer them. */
  stop(): void {
    this.#isStopped = true;
    this.#requests.answerAll(STOPPED);
  }
}

const STOPPED: ControlOutcome = { kind: "refused", reason: "the node is stopping" };
