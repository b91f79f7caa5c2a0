import { expect, test } from "bun:test";
import fc from "fast-check";
import type { L1Content } from "#test/helpers/mined-l1.ts";
import { WatchedL1 } from "#test/helpers/l1-watcher.ts";
import type { StateUpdateLog } from "#io/l1/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const RUNS = 200;
const DEPTH = 2;
const LONGEST_FAULTS_MS = 120_000;

type Action =
  | { readonly kind: "mine"; readonly blocks: readonly (readonly L1Content[])[] }
  | { readonly kind: "drop"; readonly count: number }
  | { readonly kind: "lag"; readonly blocks: number }
  | { readonly kind: "faults"; readonly faults: ("error" | "hang" | undefined)[] }
  | { readonly kind: "messageFaults"; readonly faults: ("error" | "hang" | "ask" | undefined)[] }
  | { readonly kind: "release" }
  | { readonly kind: "grow"; readonly blocks: number }
  | { readonly kind: "refuse"; readonly count: number }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "differ"; readonly blockNumber: number }
  | { readonly kind: "reset" };

const upTo = (max: number, min = 0) => fc.integer({ min, max });

const content: fc.Arbitrary<L1Content> = fc.oneof(
  fc.record({ kind: fc.constant("update" as const), blockNumber: upTo(30, -1) }),
  fc.record({ kind: fc.constant("message" as const), nonce: upTo(1000) }),
);

const mine: fc.Arbitrary<Action> = fc.record({
  kind: fc.constant("mine" as const),
  blocks: fc.array(fc.array(content, { maxLength: 2 }), { minLength: 1, maxLength: 15 }),
});

const pass: fc.Arbitrary<Action> = fc.record({
  kind: fc.constant("pass" as const),
  ms: fc.constantFrom(0, 1000, 4000, 70_000),
});

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: mine },
  { weight: 5, arbitrary: pass },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("drop" as const), count: upTo(6, 1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("lag" as const), blocks: upTo(6) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("faults" as const),
      faults: fc.array(fc.constantFrom("error", "hang", undefined, undefined), { maxLength: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("messageFaults" as const),
      faults: fc.array(fc.constantFrom("error", "hang", "ask", undefined), { maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("release" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("grow" as const), blocks: upTo(8, 1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("refuse" as const), count: upTo(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("differ" as const), blockNumber: upTo(60) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("reset" as const) }) },
);

/** A watched L1, with everything that was final on it at any time. */
class Run {
  readonly watched = new WatchedL1(undefined, { finality: DEPTH });
  readonly #final = new Set<bigint>();
  #highest = 0;
  /** Alarms before the last reset, and blocks accepted at the last check. */
  #alarms = 0;
  #settled = 0;
  /** First block that differs; infinite until then. */
  #wrong = Infinity;

  async do(step: Action): Promise<void> {
    const { l1, chain, messages, watcher } = this.watched;
    switch (step.kind) {
      case "mine":
        this.#mine(step.blocks);
        break;
      case "drop":
        l1.drop(step.count);
        l1.mine([]);
        break;
      case "lag":
        l1.lag = step.blocks;
        break;
      case "faults":
        l1.faults = [...step.faults];
        break;
      case "messageFaults":
        messages.faults = [...step.faults];
        break;
      case "release":
        messages.release();
        break;
      case "grow":
        chain.latest = (chain.latest ?? -1) + step.blocks;
        break;
      case "refuse":
        chain.refusals = step.count;
        break;
      case "pass":
        await this.watched.pass(step.ms);
        break;
      case "differ":
        // A stored block changes only when the chain is reverted.
        if (step.blockNumber > (chain.latest ?? -1)) {
          chain.changed.set(step.blockNumber, { hash: 1n, stateRoot: 2n });
        }
        break;
      case "reset":
        chain.changed.clear();
        this.#alarms = this.watched.alarms.length;
        watcher.reset();
    }
  }

  /** Checks the invariants that always hold. */
  check(): void {
    const { chain, alarms, messages, state } = this.watched;
    for (const [i, settled] of chain.settled.entries()) {
      expect(settled).toBeGreaterThan(chain.settled[i - 1] ?? -1);
      expect(settled).toBeLessThanOrEqual(chain.latest ?? -1);
      expect(this.#final.has(BigInt(settled))).toBe(true);
      if (i >= this.#settled) expect(chain.changed.has(settled)).toBe(false);
    }
    const news = alarms.slice(this.#alarms);
    expect(state.mismatch).toBe(news[0]);
    expect(news.length).toBeLessThanOrEqual(1);
    // Nothing is accepted from the first difference on.
    for (const settled of chain.settled.slice(this.#settled)) {
      expect(settled).toBeLessThan(this.#wrong);
    }
    this.#wrong = Infinity;
    for (const { message } of news) {
      this.#wrong = Number(/first update that differs is of block (\d+) /.exec(message)?.[1]);
      expect(chain.changed.has(this.#wrong)).toBe(true);
    }
    this.#settled = chain.settled.length;
    expect(messages.mostOpen).toBeLessThanOrEqual(1);
  }

  /**
   * Checks the final state, after L1 has responded, grown past all earlier blocks, and time has
   * passed.
   */
  async checkEnd(): Promise<void> {
    const { watched } = this;
    const { l1, chain, messages, state, watcher, timer } = watched;
    l1.faults = [];
    l1.lag = 0;
    messages.faults = [];
    await watched.pass(0);
    messages.release();
    chain.refusals = 0;
    const beyond = this.#highest + DEPTH;
    while (l1.head.number <= beyond) this.#mine([[]]);
    const accepted = chain.accepted ?? -1;
    await watched.pass(LONGEST_FAULTS_MS, 500);
    const logs = l1.finalLogs(DEPTH);
    const updates = logs.filter((log) => log.kind === "state_update");
    const wrong = updates.filter(
      (update) => this.#isWrong(update) && this.#isHeld(update, updates),
    );
    if (wrong.length > 0) expect(state.mismatch).toBeDefined();
    const here = updates
      .map(({ blockNumber }) => Number(blockNumber))
      .filter((number) => number <= (chain.latest ?? -1) && !chain.changed.has(number));
    // An update that was final counts even if L1 has dropped it while it waited for its block.
    const least = state.mismatch === undefined ? Math.max(accepted, ...here) : accepted;
    expect(chain.accepted ?? -1).toBeGreaterThanOrEqual(least);
    expect(messages.taken).toEqual(logs.filter((log) => log.kind === "message_to_l2"));
    expect(messages.steps.at(-1)?.block.number).toBe(l1.head.number - DEPTH);
    this.check();
    await watcher.stop();
    expect(timer.alarms).toBe(0);
  }

  #isWrong({ blockNumber }: StateUpdateLog): boolean {
    const { chain } = this.watched;
    return blockNumber <= (chain.latest ?? -1) && chain.changed.has(Number(blockNumber));
  }

  /** Whether L1 still has an update, and its block does not end with one that agrees. */
  #isHeld({ l1Block, blockNumber }: StateUpdateLog, all: readonly StateUpdateLog[]): boolean {
    const last = all.findLast((other) => other.l1Block.number === l1Block.number);
    const isReplaced = all.some(
      (other) => other.l1Block.number > l1Block.number && other.blockNumber < blockNumber,
    );
    const isLastHere = Number(last?.blockNumber) <= (this.watched.chain.latest ?? -1);
    const isLastOwn = last !== undefined && isLastHere && !this.#isWrong(last);
    return !isReplaced && !isLastOwn;
  }

  #mine(blocks: readonly (readonly L1Content[])[]): void {
    const { l1 } = this.watched;
    for (const contents of blocks) {
      l1.mine(contents);
      for (const log of l1.finalLogs(DEPTH)) {
        if (log.kind === "state_update") this.#final.add(log.blockNumber);
      }
    }
    this.#highest = Math.max(this.#highest, l1.head.number);
  }
}

test("settles only final updates, and eventually all of them, whatever L1 does", async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(action, { maxLength: 40, size: "max" }), async (actions) => {
      const run = new Run();
      run.watched.watcher.start();
      for (const step of actions) {
        await run.do(step);
        run.check();
      }
      await run.checkEnd();
    }),
    { numRuns: RUNS },
  );
});
