import type { Felt } from "#base/primitives/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { AcceptedMessage, GateMessage } from "#services/sequencer/index.ts";
import type { Growth } from "../threads/growth.ts";
import type { PortBetween } from "../threads/protocol.ts";
import { ControlClient } from "./control-client.ts";
import { Settling } from "../threads/settling.ts";

/** The threads that make blocks, as the main thread talks to them. */
export interface ProductionThreads {
  readonly executor: { readonly port: PortBetween<"main", "executor"> };
  readonly committer: { readonly port: PortBetween<"main", "committer"> };
}

/**
 * The main thread's ends of executor and committer: what they tell of the chain goes to whoever
 * follows it, what they answer to whoever asked.
 */
export class RemoteThreads {
  readonly control: ControlClient;
  readonly #threads: ProductionThreads;
  readonly #settling: Settling;
  readonly #listeners: (() => void)[] = [];
  readonly #gateListeners: ((message: GateMessage) => void)[] = [];
  readonly #clockListeners: ((byMs: number) => void)[] = [];
  readonly #interruptListeners: (() => void)[] = [];
  readonly #stopListeners: (() => void)[] = [];

  constructor(threads: ProductionThreads) {
    this.#threads = threads;
    this.#settling = new Settling(threads.committer.port);
    this.control = new ControlClient(threads.executor.port);
  }

  /** What is told of the chain's growth. */
  sources(): Growth<AcceptedMessage, DeltaMessage> {
    const { executor, committer } = this.#threads;
    return {
      deltas: {
        listen: (handler: (delta: DeltaMessage) => void) =>
          executor.port.listen((message) => {
            if (message.kind === "controlled") this.control.answered(message);
            else if (message.kind === "clockJump") {
              for (const listener of this.#clockListeners) listener(message.byMs);
            } else {
              handler(message);
              this.#tell();
            }
          }),
      },
      accepted: {
        listen: (handler: (accepted: AcceptedMessage) => void) =>
          committer.port.listen((message) => {
            if (message.kind === "settledOnL1") this.#settling.answered(message);
            else if (message.kind === "gate") {
              for (const listener of this.#gateListeners) listener(message);
            } else {
              handler(message);
              this.#tell();
            }
          }),
      },
    };
  }

  /** Calls back whenever the chain has grown, after whoever follows it. */
  onGrowth(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Calls back with what the publish gate tells. */
  onGate(listener: (message: GateMessage) => void): void {
    this.#gateListeners.push(listener);
  }

  /** Calls back when the wall clock has jumped, by so many milliseconds: see `ClockJumpMessage`. */
  onClockJump(listener: (byMs: number) => void): void {
    this.#clockListeners.push(listener);
  }

  /** Calls back when the threads are gone with what they were told. */
  onInterrupt(listener: () => void): void {
    this.#interruptListeners.push(listener);
  }

  /** Calls back when the node stops: answers that wait for the threads have to be given now. */
  onStop(listener: () => void): void {
    this.#stopListeners.push(listener);
  }

  /** As {@link Settling.settle}. */
  settleOnL1(blockNumber: number, blockHash: Felt): Promise<boolean> {
    return this.#settling.settle(blockNumber, blockHash);
  }

  /** The threads are gone with what they were told and have not answered. */
  interrupt(): void {
    this.control.interrupt();
    this.#settling.interrupt();
    for (const listener of this.#interruptListeners) listener();
  }

  /** Ends what waits: the threads are not going to answer any more. */
  stop(): void {
    this.control.stop();
    this.#settling.interrupt();
    for (const listener of this.#stopListeners) listener();
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
