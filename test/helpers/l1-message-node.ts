import {
  type L1Alarm,
  L1Watcher,
  MessageIndex,
  type MessageEvent,
  type MessageLimits,
  MessageWatch,
  StateWatch,
} from "#services/l1-watch/index.ts";
import { FakeTimer } from "./fake-timer.ts";
import { FakeChain } from "./l1-chain.ts";
import { ModelChain } from "./l1-message-chain.ts";
import { type L1Operation, ModelL1 } from "./l1-message-model.ts";

/** Message limits so low that a few messages reach them. */
export const SMALL_LIMITS: MessageLimits = {
  heldMessages: 8,
  heldBytes: 1_000_000,
  batchMessages: 3,
  batchBytes: 100_000,
  heldBackMessages: 16,
  retryMs: { first: 1000, most: 4000 },
};

/** Number of blocks above a message's L1 block until the node of these tests executes it. */
export const FINALITY = 3;

/**
 * A node that follows {@link ModelL1} and executes its messages on {@link ModelChain}; it can be
 * killed.
 */
export class MessageNode {
  readonly #l1: ModelL1;
  readonly #chain: ModelChain;
  readonly #limits: MessageLimits;
  readonly timer = new FakeTimer();
  readonly index = new MessageIndex(1000);
  readonly alarms: L1Alarm[] = [];
  readonly events: MessageEvent[] = [];
  /** Number of restarts of the message stream. */
  beginnings = 0;
  #watch: MessageWatch;
  #watcher: L1Watcher;

  constructor(l1: ModelL1, chain: ModelChain, limits: MessageLimits = SMALL_LIMITS) {
    this.#l1 = l1;
    this.#chain = chain;
    this.#limits = limits;
    [this.#watch, this.#watcher] = this.#start();
  }

  get backlog(): number {
    return this.#watch.backlog;
  }

  /** Advances time; requests get their responses meanwhile. */
  async run(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      await answered();
      this.timer.advance(1000);
    }
    await answered();
  }

  /** Kills and restarts the process. */
  async restart(): Promise<void> {
    await this.stop();
    [this.#watch, this.#watcher] = this.#start();
  }

  /** Simulates that the threads restarted on a changed chain. */
  chainChanged(): void {
    this.#watcher.reset();
  }

  async stop(): Promise<void> {
    this.#watch.stop();
    const stopped = this.#watcher.stop();
    await this.run(20);
    await stopped;
  }

  #start(): [MessageWatch, L1Watcher] {
    const stateChain = new FakeChain(undefined);
    const messages = new MessageWatch({
      chain: this.#chain,
      chainId: 0x1234n,
      source: this.#l1,
      finality: FINALITY,
      index: this.index,
      limits: this.#limits,
      timer: this.timer,
      yieldToOthers: () => Promise.resolve(),
      execute: this.#chain.execute,
      onAlarm: (alarm) => this.alarms.push(alarm),
      onEvent: (event) => this.events.push(event),
    });
    const watcher = new L1Watcher({
      source: this.#l1,
      state: new StateWatch({
        chain: stateChain,
        acceptedDivergences: [],
        settle: stateChain.settle,
        onMismatch: () => undefined,
        onEvent: () => undefined,
        onUpdate: () => undefined,
      }),
      messages,
      finality: FINALITY,
      replayMs: 1000,
      pollMs: 1000,
      rangeBlocks: 5,
      timer: this.timer,
      nowUnixMs: () => 1_000_000,
      onEvent: ({ kind }) => {
        if (kind === "begun") this.beginnings++;
      },
    });
    watcher.start();
    return [messages, watcher];
  }
}

/** Creates a node with a chain that follows a separate {@link ModelL1}. */
export function messageWorld(): {
  readonly l1: ModelL1;
  readonly chain: ModelChain;
  readonly node: MessageNode;
} {
  const l1 = new ModelL1();
  const chain = new ModelChain();
  return { l1, chain, node: new MessageNode(l1, chain) };
}

/** An operation that sends a message with this payload. */
export function send(...payload: bigint[]): L1Operation {
  return { kind: "send", payload };
}

/** Operations that send this many messages. */
export function sends(count: number): L1Operation[] {
  return Array.from({ length: count }, (_, index) => send(BigInt(index)));
}

/** Nonces of a range, both ends inclusive. */
export function nonces(from: number, to: number): bigint[] {
  return Array.from({ length: to - from + 1 }, (_, index) => BigInt(from + index));
}

/** Lets all continuations of the models' promises run. */
async function answered(): Promise<void> {
  for (let i = 0; i < 4; i++) await new Promise((resolve) => void setImmediate(resolve));
}
