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

/** A write that waits for a block. */
export type WriteOrder = Extract<ControlCommand, { kind: "writeStorage" }>;

/** What is done at once. */
type DevCommand = Extract<ControlCommand, { kind: "resumeTime" | "setGasPrices" }>;

/** What a handler works with. */
export interface ControlHandlerDeps {
  readonly main: Outlet<ControlReply>;
  /** Of a development chain; `null`: time, prices and state are nobody's to set. */
  readonly devnet: {
    readonly environment: DevEnvironment;
    /** The system's clock, in Unix milliseconds. */
    readonly unixNowMs: () => number;
  } | null;
}

/** Why a command is refused on a chain that is no development chain. */
export const NOT_DEVNET = "only a development chain can be told so";

/**
 * Takes what the executor is told: prices at once, on development chains only; blocks, their time and
 * messages in their order, when the executor's timing has them done. Each is answered.
 */
export class ControlHandler {
  readonly #deps: ControlHandlerDeps;
  readonly #waiting: ControlRequest[] = [];

  constructor(deps: ControlHandlerDeps) {
    this.#deps = deps;
  }

  /**
   * Takes a request.
   *
   * @returns what the executor has to do when it can; `undefined` when nothing is left to do
   */
  take(request: ControlRequest): Order | undefined {
    const { command, id } = request;
    switch (command.kind) {
      case "createBlock":
        return this.#wait(request, command.fresh ? "freshBlock" : "block");
      case "message":
        return this.#wait(request, "message");
      case "writeStorage":
        return this.#waitOnDevnet(request, "message");
      case "setTime":
      case "increaseTime":
        return this.#waitOnDevnet(request, command.seal ? "timedBlock" : "time");
      default:
        this.#reply(id, this.#set(command));
        return undefined;
    }
  }

  /** The message or write whose turn it is. */
  message(): MessageOrder | WriteOrder | undefined {
    const command = this.#waiting[0]?.command;
    return command?.kind === "message" || command?.kind === "writeStorage" ? command : undefined;
  }

  /** Sets the time of the order whose turn it is. */
  setTime(): void {
    const command = this.#waiting[0]?.command;
    const { devnet } = this.#deps;
    if (devnet === null || command === undefined) return;
    const { environment, unixNowMs } = devnet;
    if (command.kind === "setTime") environment.setTime(command.timestamp, unixNowMs());
    else if (command.kind === "increaseTime") environment.increaseTime(command.seconds);
  }

  /** The order whose turn it was is done. */
  done(outcome: ControlOutcome): void {
    const request = this.#waiting.shift();
    if (request !== undefined) this.#reply(request.id, outcome);
  }

  #set(command: DevCommand): ControlOutcome {
    const { devnet } = this.#deps;
    if (devnet === null) return { kind: "refused", reason: NOT_DEVNET };
    const { environment, unixNowMs } = devnet;
    switch (command.kind) {
      case "resumeTime":
        environment.resume(command.timestamp, unixNowMs());
        break;
      case "setGasPrices":
        environment.setPrices(command.prices);
        break;
    }
    return { kind: "set" };
  }

  #waitOnDevnet(request: ControlRequest, order: Order): Order | undefined {
    if (this.#deps.devnet !== null) return this.#wait(request, order);
    this.#reply(request.id, { kind: "refused", reason: NOT_DEVNET });
    return undefined;
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
    this.#deps.main.send({ kind: "controlled", id, outcome });
  }
}
