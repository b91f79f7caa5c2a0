import type { L1View, MessageLog } from "#io/l1/index.ts";
import {
  type L1Alarm,
  type L1MessageTaker,
  type L1StateUpdate,
  L1Watcher,
  type L1WatcherDeps,
  type L1WatchEvent,
  type StateEvent,
  StateWatch,
} from "#services/l1-watch/index.ts";
import { MinedL1, L1_BLOCK_SECONDS } from "./mined-l1.ts";
import { FakeTimer } from "./fake-timer.ts";
import { FakeChain } from "./l1-chain.ts";

/** Records the messages and calls since its last restart. */
export class FakeMessages implements L1MessageTaker {
  readonly calls: string[] = [];
  fromBlock: number | undefined;
  taken: MessageLog[] = [];
  steps: L1View[] = [];
  /** Behaviour of the next calls of `logs` and `step`. */
  faults: ("error" | "hang" | "ask" | undefined)[] = [];
  /** Releases the hanging calls. */
  release: () => void = () => undefined;
  open = 0;
  mostOpen = 0;

  begins(fromBlock: number): void {
    this.calls.push(`begins ${fromBlock}`);
    this.fromBlock = fromBlock;
  }

  async logs(messages: readonly MessageLog[], view: L1View): Promise<void> {
    await this.#work(view);
    this.calls.push(`logs ${messages.map(({ nonce }) => nonce).join(" ")}`);
    this.taken.push(...messages);
  }

  async step(view: L1View): Promise<void> {
    await this.#work(view);
    this.calls.push(`step ${view.block.number}`);
    this.steps.push(view);
  }

  reset(): void {
    this.calls.push("reset");
    this.fromBlock = undefined;
    this.taken = [];
  }

  async #work(view: L1View): Promise<void> {
    this.open++;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    const fault = this.faults.shift();
    try {
      await Promise.resolve();
      if (fault === "ask") await view.messages([1n]);
      if (fault === "hang") await new Promise<void>((go) => (this.release = go));
      if (fault === "error") throw new RangeError("messages failed");
    } finally {
      this.open--;
    }
  }
}

/** A watcher of a test's L1 for a test's chain, with a clock that the test advances. */
export class WatchedL1 {
  readonly l1: MinedL1;
  readonly chain: FakeChain;
  readonly timer = new FakeTimer();
  readonly messages = new FakeMessages();
  readonly events: L1WatchEvent[] = [];
  readonly alarms: L1Alarm[] = [];
  readonly stateEvents: StateEvent[] = [];
  readonly updates: L1StateUpdate[] = [];
  readonly state: StateWatch;
  readonly watcher: L1Watcher;

  constructor(
    latest: number | undefined,
    changed: Partial<L1WatcherDeps> = {},
    l1: MinedL1 = new MinedL1(),
  ) {
    this.l1 = l1;
    this.chain = new FakeChain(latest);
    this.state = new StateWatch({
      chain: this.chain,
      acceptedDivergences: [],
      settle: this.chain.settle,
      onMismatch: (alarm) => this.alarms.push(alarm),
      onEvent: (event) => this.stateEvents.push(event),
      onUpdate: (update) => this.updates.push(update),
    });
    this.watcher = new L1Watcher({
      source: this.l1.source,
      state: this.state,
      messages: this.messages,
      finality: 2,
      replayMs: 3_600_000,
      pollMs: 1000,
      rangeBlocks: 10,
      timer: this.timer,
      nowUnixMs: () => this.l1.head.timestamp * 1000 + L1_BLOCK_SECONDS * 1000,
      onEvent: (event) => this.events.push(event),
      ...changed,
    });
  }

  /** Advances time, and runs all continuations of promises. */
  async pass(ms: number, stepMs = 1000): Promise<void> {
    await quiet();
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.timer.advance(stepMs);
      await quiet();
    }
  }

  eventsOf<K extends L1WatchEvent["kind"]>(kind: K): readonly Extract<L1WatchEvent, { kind: K }>[] {
    return this.events.filter((event): event is Extract<L1WatchEvent, { kind: K }> => {
      return event.kind === kind;
    });
  }
}

async function quiet(): Promise<void> {
  for (let i = 0; i < 60; i++) await Promise.resolve();
}
