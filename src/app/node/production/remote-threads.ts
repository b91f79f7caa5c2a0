import type { Felt } from "#base/primitives/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { AcceptedMessage, GateMessage } from "#services/sequencer/index.ts";
import type { Growth } from "../threads/growth.ts";
import type { PortBetween } from "../threads/protocol.ts";
import { ControlClient } from "./control-client.ts";
import { Settling } from "../threads/settling.ts";

/** Threads that produce blocks, with the main thread's ports. */
export interface ProductionThreads {
  readonly executor: { readonly port: PortBetween<"main", "executor"> };
  readonly committer: { readonly port: PortBetween<"main", "committer"> };
}

/** Main thread's connection to executor and committer: their growth messages, and requests to them. */
export class RemoteThreads {
  readonly control: ControlClient;
  readonly #threads: ProductionThreads;
  readonly #settling: Settling;
  readonly #listeners: (() => void)[] = [];
  readonly #gateListeners: ((message: GateMessage) => void)[] = [];
  readonly #clockListeners: ((byMs: number) => void)[] = [];
  readonly #interruptListeners: (() => void)[] = [];
  readonly #stopListeners: (() => void)[] = [];

  /** @param origins - see {@link ControlClient} */
  constructor(threads: ProductionThreads, origins: readonly string[]) {
    this.#threads = threads;
    this.#settling = new Settling(threads.committer.port);
    this.control = new ControlClient(threads.executor.port, origins);
  }

  /** Growth messages of the chain. */
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

  /** Adds a listener for growth of the chain; runs after those of {@link sources}. */
  onGrowth(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Adds a listener for the committer's reports on the state of the publish gate. */
  onGate(listener: (message: GateMessage) => void): void {
    this.#gateListeners.push(listener);
  }

  /** Adds a listener for jumps of the wall clock, in milliseconds; see `ClockJumpMessage`. */
  onClockJump(listener: (byMs: number) => void): void {
    this.#clockListeners.push(listener);
  }

  /** Adds a listener for interruptions: the threads have stopped without answering. */
  onInterrupt(listener: () => void): void {
    this.#interruptListeners.push(listener);
  }

  /** Adds a listener for the node's stop: responses that wait for the threads have to be sent now. */
  onStop(listener: () => void): void {
    this.#stopListeners.push(listener);
  }

  /** As {@link Settling.settle}. */
  settleOnL1(blockNumber: number, blockHash: Felt): Promise<boolean> {
    return this.#settling.settle(blockNumber, blockHash);
  }

  /** Settles requests in flight, because the threads have stopped without answering them. */
  interrupt(): void {
    this.control.interrupt();
    this.#settling.interrupt();
    for (const listener of this.#interruptListeners) listener();
  }

  /** Settles requests in flight, because the threads will not answer them. */
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
