import type { Outlet } from "#base/primitives/index.ts";
import type {
  ControlCommand,
  ControlOutcome,
  ControlReply,
  ControlRequest,
} from "./control-messages.ts";
import type { DevEnvironment } from "./dev-environment.ts";
import type { Order } from "./executor-state.ts";

/** Most orders that wait: each comes from a request that waits for its answer. */
export const MAX_ORDERS = 1_000;

/** A message from L1 that waits for a block. */
export type MessageOrder = Extract<ControlCommand, { kind: "message" }>;

/** What a desk works with. */
export interface ControlDeskParts {
  readonly main: Outlet<ControlReply>;
  readonly environment: DevEnvironment;
  /** The system's clock, in Unix milliseconds. */
  readonly unixNowMs: () => number;
}

/**
 * Takes what a development chain is told: time and prices at once, blocks and messages in their
 * order, when the executor's timing has them done. Each is answered.
 */
export class ControlDesk {
  readonly #parts: ControlDeskParts;
  readonly #waiting: ControlRequest[] = [];

  constructor(parts: ControlDeskParts) {
    this.#parts = parts;
  }

  /**
   * Takes a request.
   *
   * @returns what the executor has to do when it can; `undefined` when nothing is left to do
   */
  take(request: ControlRequest): Order | undefined {
    const { environment, unixNowMs } = this.#parts;
    const { command, id } = request;
    switch (command.kind) {
      case "setTime":
        environment.setTime(command.timestamp, unixNowMs());
        break;
      case "increaseTime":
        environment.increaseTime(command.seconds);
        break;
      case "setGasPrices":
        environment.setPrices(command.prices);
        break;
      case "createBlock":
        return this.#wait(request, command.fresh ? "freshBlock" : "block");
      case "message":
        return this.#wait(request, "message");
    }
    this.#reply(id, { kind: "set" });
    return undefined;
  }

  /** The message whose turn it is. */
  message(): MessageOrder | undefined {
    const command = this.#waiting[0]?.command;
    return command?.kind === "message" ? command : undefined;
  }

  /** The order whose turn it was is done. */
  done(outcome: ControlOutcome): void {
    const request = this.#waiting.shift();
    if (request !== undefined) this.#reply(request.id, outcome);
  }

  #wait(request: ControlRequest, order: Order): Order | undefined {
    if (this.#waiting.length >= MAX_ORDERS) {
      this.#reply(request.id, { kind: "refused", reason: "too many orders are waiting" });
      return undefined;
    }
    this.#waiting.push(request);
    return order;
  }

  #reply(id: number, outcome: ControlOutcome): void {
    this.#parts.main.send({ kind: "controlled", id, outcome });
  }
}
