import type { HashedTransaction } from "#protocol/chain/index.ts";
import { OriginError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { OriginMissing, type OriginQuery } from "#io/origin/index.ts";
import type { FetchedOrigin, MainContext, RpcObserver } from "../context.ts";
import { repeatWhileMissing } from "../fork/repeat.ts";
import { NOBODY } from "../limits/fair-queue.ts";
import { CatchUp } from "./catch-up.ts";
import { ChainSource } from "./chain-source.ts";
import type { Candidate, ChainListener } from "./feed.ts";
import { findExecuted } from "../methods/shared.ts";
import type { Reorg, StatusNotice } from "../spec/subscriptions.ts";
import { currentStatus } from "./current-status.ts";
import { Broadcaster } from "./broadcaster.ts";
import { Notice } from "./notice.ts";
import type { AnySubscription, Subscription } from "./subscription.ts";

/** Dependencies of a hub. */
export interface HubDeps {
  readonly context: MainContext;
  readonly observer: Pick<RpcObserver, "internalError">;
  /** Maximum work per turn of the event loop, in milliseconds; other work runs in between. */
  readonly sliceMs: number;
  /** Calls back after everything that has arrived was served. */
  readonly later: (turn: () => void) => void;
  /** Called when the interest in unexecuted transactions changes. */
  readonly wantUnexecuted: (isWanted: boolean) => void;
}

/** Number of blocks of a fork's origin that are fetched together for a subscription. */
const FETCHED_BLOCKS = 16;

/** Adds the blocks that a subscription reads next. */
function withNextBlocks(queries: readonly OriginQuery[], last: number): readonly OriginQuery[] {
  return queries.flatMap((query): readonly OriginQuery[] => {
    if (query.kind !== "block") return [query];
    const count = Math.min(FETCHED_BLOCKS, last - query.block + 1);
    return Array.from({ length: count }, (_, i) => ({ kind: "block", block: query.block + i }));
  });
}

/**
 * Notifies subscribers of events, on the main thread and in slices. One walk along the chain serves all
 * subscriptions that have caught up. A subscription that starts at an older block has its own walk until it
 * has caught up. It joins the shared walk in a turn in which both walks are complete: nothing is lost or sent
 * twice. A subscription to the status of a transaction joins immediately.
 */
export class SubscriptionHub implements ChainListener {
  readonly #source: ChainSource;
  readonly #deps: HubDeps;
  readonly #live: Broadcaster;
  /** Ordered by turn, next one first. */
  #catchUps: CatchUp[] = [];
  /** Those that wait for blocks of a fork's origin. */
  readonly #fetching = new Set<CatchUp>();
  #isScheduled = false;

  constructor(deps: HubDeps) {
    this.#deps = deps;
    this.#source = new ChainSource(deps.context);
    this.#live = new Broadcaster(deps.context, this.#source);
  }

  changed(): void {
    if (this.#live.sink.isEmpty) return;
    this.#live.changed();
    this.#schedule();
  }

  received(transaction: HashedTransaction): void {
    const { sink } = this.#live;
    if (!sink.wantsReceived(transaction.hash)) return;
    try {
      // Receipts arrive on another path than executions, and may be late.
      if (findExecuted(this.#deps.context, transaction.hash) !== undefined) return;
      sink.received(transaction);
    } catch (error) {
      // The response to its sender must not fail because of this.
      this.#report(error);
    }
  }

  candidates(candidates: readonly Candidate[]): void {
    try {
      this.#live.candidates(candidates);
    } catch (error) {
      // Only the candidate notification is lost; later ones are still sent.
      this.#report(error);
    }
    // In a separate turn: the current one reports that they were received.
    if (this.#live.isBehind) this.#schedule();
  }

  rejected(hash: Felt, reason: string): void {
    this.#live.sink.notifyStatus(hash, { rank: "REJECTED", status: { kind: "rejected", reason } });
  }

  settled(blockNumber: number): void {
    if (this.#live.sink.statuses.size === 0) return;
    this.#live.settled(blockNumber);
    this.#schedule();
  }

  reverted(reorg: Reorg | undefined): void {
    this.#source.forget(Infinity);
    this.#source.rest();
    this.#live.reverted(reorg !== undefined);
    const catchUps = [...this.#catchUps, ...this.#fetching];
    for (const catchUp of catchUps) catchUp.reverted();
    if (reorg === undefined) return;
    const notice = new Notice(reorg);
    const waiting = catchUps.map(({ subscription }) => subscription);
    for (const subscription of [...this.#live.sink.all, ...waiting])
      subscription.notifyReorg(notice);
  }

  open(subscription: AnySubscription): void {
    if (subscription.order.kind === "transactionStatus") {
      this.#join(subscription);
      void this.#notifyCurrent(subscription as Subscription<"transactionStatus">);
      return;
    }
    this.#catchUps.push(new CatchUp(this.#source, subscription));
    this.#schedule();
  }

  close(subscription: AnySubscription): void {
    subscription.close();
    this.#live.sink.delete(subscription);
    this.#wantUnexecuted();
    this.writable();
  }

  /** A client has read its pending output, or has disconnected. */
  writable(): void {
    if (this.#catchUps.length > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#deps.later(() => {
      this.#isScheduled = false;
      this.#turn();
    });
  }

  #turn(): void {
    const { sliceMs } = this.#deps;
    const endMs = performance.now() + sliceMs;
    this.#notifyLive(endMs);
    const isWaiting = this.#notifyCatchUps(Math.max(endMs, performance.now() + sliceMs / 2));
    if (this.#live.isBehind || isWaiting) this.#schedule();
  }

  #notifyLive(endMs: number): void {
    if (!this.#live.isBehind) return;
    try {
      this.#live.begin();
      do this.#live.step();
      while (this.#live.isBehind && performance.now() < endMs);
    } catch (error) {
      this.#live.giveUp();
      this.#report(error);
      for (const subscription of [...this.#live.sink.all]) this.#drop(subscription);
    }
  }

  /** @returns whether any subscription can continue now */
  #notifyCatchUps(endMs: number): boolean {
    const current = this.#catchUps;
    if (current.length === 0) this.#source.rest();
    const [unfinished, slow]: [CatchUp[], CatchUp[]] = [[], []];
    let count = 0;
    for (const catchUp of current) {
      if (count > 0 && performance.now() >= endMs) break;
      count++;
      if (catchUp.subscription.isClosed) continue;
      if (!catchUp.subscription.outlet.isWritable) slow.push(catchUp);
      else if (!this.#advance(catchUp, endMs)) unfinished.push(catchUp);
    }
    const left = current.slice(count);
    // Slow readers continue when their socket is writable again. No subscription was added during the loop.
    this.#catchUps = [...left, ...unfinished, ...slow];
    return left.length + unfinished.length > 0;
  }

  /** @returns whether the subscription joined the others, or ended */
  #advance(catchUp: CatchUp, endMs: number): boolean {
    const { subscription } = catchUp;
    try {
      while (!subscription.isClosed && subscription.outlet.isWritable) {
        if (catchUp.step()) {
          // The live walk is complete in this very turn, or has no subscribers.
          if (this.#live.isChainBehind) return false;
          this.#join(subscription);
          return true;
        }
        if (performance.now() >= endMs) return false;
      }
      return subscription.isClosed;
    } catch (error) {
      const { fork } = this.#deps.context;
      if (error instanceof OriginMissing && fork !== null) void this.#fetch(fork, catchUp, error);
      else this.#fail(subscription, error);
      return true;
    }
  }

  /** Continues a subscription once the blocks of a fork's origin that it lacks are fetched. */
  async #fetch(fork: FetchedOrigin, catchUp: CatchUp, { queries }: OriginMissing): Promise<void> {
    const { subscription } = catchUp;
    this.#fetching.add(catchUp);
    try {
      await fork.fetch(withNextBlocks(queries, fork.forkBlock), NOBODY, fork.callEndsAtMs());
    } catch (error) {
      return this.#drop(subscription, error instanceof OriginError ? undefined : error);
    } finally {
      this.#fetching.delete(catchUp);
    }
    if (subscription.isClosed) return;
    this.#catchUps.push(catchUp);
    this.#schedule();
  }

  #join(subscription: AnySubscription): void {
    this.#live.join(subscription);
    this.#wantUnexecuted();
  }

  #wantUnexecuted(): void {
    this.#deps.wantUnexecuted(this.#live.sink.wantsUnexecuted);
  }

  async #notifyCurrent(subscription: Subscription<"transactionStatus">): Promise<void> {
    try {
      const { hash } = subscription.order;
      const { context } = this.#deps;
      const current = await repeatWhileMissing(context.fork, NOBODY, () =>
        currentStatus(context, hash),
      );
      if (current === undefined) return;
      const { status } = current;
      this.#live.sink.statuses.notifyOne(
        subscription,
        current,
        new Notice<StatusNotice>({ transactionHash: hash, status }),
      );
    } catch (error) {
      // Only a fork's origin may know a status by now; later ones are reported.
      if (!(error instanceof OriginError)) this.#fail(subscription, error);
    }
  }

  #report(error: unknown): void {
    this.#deps.observer.internalError("subscriptions", crypto.randomUUID(), error);
  }

  #fail(subscription: AnySubscription, error: unknown): void {
    this.#drop(subscription, error);
  }

  /** @param error - internal error to report, if any */
  #drop(subscription: AnySubscription, error?: unknown): void {
    if (error !== undefined) this.#report(error);
    this.close(subscription);
    subscription.outlet.fail();
  }
}
