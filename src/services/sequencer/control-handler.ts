import type { Outlet } from "#base/primitives/index.ts";
import type {
  ControlCommand,
  ControlOutcome,
  ControlReply,
  ControlRequest,
  MessageFromL1,
} from "./control-messages.ts";
import type { DevEnvironment } from "./dev-environment.ts";
import type { L1Prices } from "./gas-price.ts";
import { priceFault } from "./l1-prices-page.ts";
import { MessageQueue } from "./message-queue.ts";
import type { ExecutorEvent, Order } from "./executor-state.ts";

/**
 * Maximum number of queued commands to the executor; each belongs to a request that waits for its
 * response.
 */
export const MAX_ORDERS = 1_000;

/** Queued message from L1. */
export type MessageOrder = Extract<ControlCommand, { kind: "message" }>;

/** Queued change of the state without a transaction. */
export type WriteOrder = Extract<
  ControlCommand,
  { kind: "writeStorage" | "changeState" | "setBalance" }
>;

/** Command that takes effect immediately. */
type DevCommand = Extract<ControlCommand, { kind: "resumeTime" | "setGasPrices" }>;

/** Dependencies of a {@link ControlHandler}. */
export interface ControlHandlerDeps {
  readonly main: Outlet<ControlReply>;
  /** Sets the L1 prices of blocks opened from now on. */
  readonly setL1Prices: (prices: L1Prices) => void;
  /** Development controls; `null` on other chains, where time, prices and state cannot be set. */
  readonly devnet: {
    readonly environment: DevEnvironment;
    /** System clock in Unix milliseconds. */
    readonly unixNowMs: () => number;
  } | null;
}

/** Reason for refusing a command on a chain that is not a development chain. */
export const NOT_DEVNET = "only a development chain accepts this command";

/**
 * Handles commands to the executor. L1 prices take effect immediately; other prices only on development
 * chains. Blocks, block times and single messages are queued as orders, which the executor's timing runs in
 * sequence. Messages from L1 have a separate queue. Every command gets a reply.
 */
export class ControlHandler {
  readonly #deps: ControlHandlerDeps;
  readonly messages: MessageQueue;
  readonly #waiting: ControlRequest[] = [];
  #haltedFor: string | undefined;

  constructor(deps: ControlHandlerDeps) {
    this.#deps = deps;
    this.messages = new MessageQueue(deps.main);
  }

  /**
   * Handles a request.
   *
   * @returns the event for the executor; `undefined` if nothing is left to do
   */
  take(request: ControlRequest): ExecutorEvent | undefined {
    const { command, id } = request;
    switch (command.kind) {
      case "setL1Prices":
        this.#reply(id, this.#setL1Prices(command.prices));
        return undefined;
      case "messages":
        return this.#takeMessages(id, command.messages);
      case "halt":
        return this.#halt(id, command.reason);
      case "createBlock":
        return this.#wait(request, command.fresh ? "freshBlock" : "block");
      case "message":
        return this.#wait(request, "message");
      case "writeStorage":
      case "changeState":
      case "setBalance":
        return this.#waitOnDevnet(request, "message");
      case "setTime":
      case "increaseTime":
        return this.#waitOnDevnet(request, command.seal ? "timedBlock" : "time");
      default:
        this.#reply(id, this.#set(command));
        return undefined;
    }
  }

  /** Returns the message or write of the first order. */
  message(): MessageOrder | WriteOrder | undefined {
    const command = this.#waiting[0]?.command;
    switch (command?.kind) {
      case "message":
      case "writeStorage":
      case "changeState":
      case "setBalance":
        return command;
      default:
        return undefined;
    }
  }

  setTime(): void {
    const command = this.#waiting[0]?.command;
    const { devnet } = this.#deps;
    if (devnet === null || command === undefined) return;
    const { environment, unixNowMs } = devnet;
    if (command.kind === "setTime") environment.setTime(command.timestamp, unixNowMs());
    else if (command.kind === "increaseTime") environment.increaseTime(command.seconds);
  }

  /** Completes the first order and replies to its request. */
  done(outcome: ControlOutcome): void {
    const request = this.#waiting.shift();
    if (request !== undefined) this.#reply(request.id, outcome);
  }

  #takeMessages(id: number, messages: readonly MessageFromL1[]): ExecutorEvent | undefined {
    if (this.#haltedFor === undefined) this.messages.add(id, messages);
    else this.#reply(id, { kind: "refused", reason: this.#haltedFor });
    const next = this.messages.next();
    return next === null ? undefined : { kind: "messages", ...next };
  }

  /** Halts production: refuses queued and future requests. */
  #halt(id: number, reason: string): ExecutorEvent {
    this.#haltedFor ??= reason;
    const refusal = { kind: "refused", reason: this.#haltedFor } as const;
    for (const waiting of this.#waiting.splice(0)) this.#reply(waiting.id, refusal);
    this.messages.refuse(this.#haltedFor);
    this.#reply(id, { kind: "set" });
    return { kind: "halt" };
  }

  #setL1Prices(prices: L1Prices): ControlOutcome {
    const reason = priceFault(prices);
    if (reason !== undefined) return { kind: "refused", reason };
    this.#deps.setL1Prices(prices);
    return { kind: "set" };
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

  #waitOnDevnet(request: ControlRequest, order: Order): ExecutorEvent | undefined {
    if (this.#deps.devnet !== null) return this.#wait(request, order);
    this.#reply(request.id, { kind: "refused", reason: NOT_DEVNET });
    return undefined;
  }

  #wait(request: ControlRequest, order: Order): ExecutorEvent | undefined {
    if (this.#haltedFor !== undefined) {
      this.#reply(request.id, { kind: "refused", reason: this.#haltedFor });
      return undefined;
    }
    if (this.#waiting.length >= MAX_ORDERS) {
      this.#reply(request.id, { kind: "refused", reason: "too many orders are waiting" });
      return undefined;
    }
    this.#waiting.push(request);
    return { kind: "order", order };
  }

  #reply(id: number, outcome: ControlOutcome): void {
    this.#deps.main.send({ kind: "controlled", id, outcome });
  }
}
