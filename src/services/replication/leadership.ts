import { NodeError } from "#base/errors/index.ts";
import { Candidacy } from "./candidacy.ts";
import { Heartbeat } from "./heartbeat.ts";
import { type LeadEpoch, nextEpoch } from "./lead-epoch.ts";
import type { LeaderRecord } from "./leader-record.ts";
import { type LeaderSeen, LeaderWatch } from "./leader-watch.ts";
import type { LeadershipDeps } from "./leadership-ports.ts";
import { PublicationWatch } from "./publication-watch.ts";

/** Maximum time a deposed sequencer spends forwarding its queued transactions. */
export const HAND_OVER_MS = 10_000;

/**
 * Maximum wait of a deposed sequencer for the new leader's record, which is written once its first
 * block is published.
 */
export const SUCCESSOR_MS = 3_000;

/** Leadership state of a sequencer among the sequencers of its chain. */
export type LeadershipState = "following" | "beginning" | "leading" | "deposed";

/**
 * Role of this sequencer, and the transitions between roles. A following sequencer takes over when no leader
 * is alive; a leading one sends heartbeats until another has taken over.
 *
 * This class does not prevent two sequencers from making blocks at the same time: the objects of their blocks
 * do.
 */
export class Leadership {
  readonly #deps: LeadershipDeps;
  #state: LeadershipState = "following";
  #seen: LeaderRecord | undefined;
  #epoch = 0;
  #predecessor: LeadEpoch["predecessor"] = null;
  /** Number of blocks published since this sequencer started to lead. */
  #published = 0;
  /** Block above which another sequencer's block is published but not synced yet. */
  #outrunAt: number = Number.NEGATIVE_INFINITY;
  #watch: { stop(): void } | undefined;
  #heartbeat: Heartbeat | undefined;
  readonly #publication: PublicationWatch;
  /** Cancels the handover in progress. */
  #handOver = new AbortController();
  #isOver = false;

  constructor(deps: LeadershipDeps) {
    this.#deps = deps;
    const { publishTimeoutMs, timer } = deps;
    const onHopeless = (reason: string): void => void this.giveUp(reason);
    this.#publication = new PublicationWatch({ publishTimeoutMs, onHopeless, timer });
  }

  get state(): LeadershipState {
    return this.#state;
  }

  /** Current leader; `undefined` if none, it is unknown, or it is this sequencer. */
  get leader(): LeaderRecord | undefined {
    const { instance, gatewayUrl } = this.#deps;
    const isSelf = this.#seen?.instance === instance && this.#seen.gatewayUrl === gatewayUrl;
    if (this.#state === "leading" || this.#state === "beginning") return undefined;
    if (isSelf || this.#seen === undefined || this.#seen.hasStopped) return undefined;
    const { newestBlock, newestEpoch } = this.#deps.ports;
    // A sequencer that has published a block of a later epoch is about to write its record.
    const isLaterThere = newestBlock() <= this.#outrunAt;
    const leastEpoch = newestEpoch() + (isLaterThere ? 1 : 0);
    return this.#seen.epoch < leastEpoch ? undefined : this.#seen;
  }

  follow(): void {
    this.#watchForTurn();
    this.#startHandOver();
  }

  #watchForTurn(): void {
    const { timer, store, takeoverAfterMs, isStandby, ports } = this.#deps;
    this.#state = "following";
    ports.onEvent({ kind: "follows" });
    const candidacy = new Candidacy({
      store,
      takeoverAfterMs,
      isStandby,
      newestBlock: () => (ports.newestBlock() < 0 ? undefined : ports.newestBlock()),
      newestPublished: ports.newestPublished,
      newestEpoch: ports.newestEpoch,
      secondsBehind: ports.secondsBehind,
      onSeen: (seen) => this.#onSeen(seen),
      onObstacle: (obstacle) => ports.onEvent({ kind: "obstacle", obstacle: obstacle ?? null }),
      onTurn: (leader) => void this.#guard(this.#takeOver(leader)),
      timer,
    });
    this.#watch = candidacy;
    candidacy.start();
  }

  #startHandOver(): void {
    this.#handOver = new AbortController();
    void this.#guard(this.#deps.ports.handOver(null, this.#handOver.signal));
  }

  /** Starts as a sequencer whose threads produce blocks of an epoch. */
  lead({ epoch, isNew, predecessor }: LeadEpoch): void {
    this.#prepare(epoch, predecessor);
    if (isNew) this.#deps.ports.makeBlock();
    else this.#begin();
  }

  /** Records why a block of this sequencer waits to be published; `undefined` when it no longer waits. */
  waiting(reason: string | undefined): void {
    if (reason === undefined) this.#publication.settled();
    else this.#publication.waiting(reason);
  }

  published(): void {
    this.#publication.settled();
    this.#published++;
    if (this.#state === "beginning") this.#begin();
  }

  /** Records that another sequencer's block has the number of one of ours. */
  refused(): void {
    this.#publication.settled();
    this.#outrunAt = this.#deps.ports.newestBlock();
    void this.#guard(this.#stepDown());
  }

  /**
   * Gives up leadership because this sequencer can no longer make blocks. Announces the stop so that standbys
   * do not wait for its silence, then reports the reason as the node's failure. A block that it still
   * publishes competes with the new leader's block like any other. No effect on a sequencer that does not
   * lead.
   */
  async giveUp(reason: string): Promise<void> {
    if (this.#isOver || (this.#state !== "beginning" && this.#state !== "leading")) return;
    const { ports } = this.#deps;
    ports.onEvent({ kind: "givesUp", epoch: this.#epoch, reason });
    this.#state = "deposed";
    await this.stop();
    ports.onFailure(new NodeError("NODE_GAVE_UP", `leadership is given up: ${reason}`));
  }

  /** Freezes the role: the node is about to stop. */
  freeze(): void {
    this.#isOver = true;
    this.#watch?.stop();
    this.#handOver.abort();
  }

  /** Announces that the threads have stopped. Settles when the record is written, or cannot be. */
  async stop(): Promise<void> {
    this.freeze();
    await this.#heartbeat?.stop();
  }

  #onSeen({ leader, hasMoved }: LeaderSeen): void {
    const { ports, isStandby } = this.#deps;
    const before = this.#seen;
    this.#seen = leader;
    if (leader === undefined) return;
    const isSame = before?.instance === leader.instance && before.epoch === leader.epoch;
    if (!isSame) ports.onEvent({ kind: "leader", leader });
    if (this.#state !== "following" || isStandby || !hasMoved || leader.hasStopped) return;
    // Started to lead and still syncing published blocks, this sequencer finds a live leader.
    this.freeze();
    this.#state = "deposed";
    ports.onEnd(leader);
  }

  async #takeOver(from: LeaderRecord | undefined): Promise<void> {
    const { ports } = this.#deps;
    const epoch = nextEpoch(from, ports.newestEpoch());
    this.#prepare(epoch, null);
    this.#handOver.abort();
    ports.onEvent({ kind: "takesOver", epoch, from });
    await ports.lead(epoch);
    // The first block may already have been published or refused.
    if (!this.#isOver && this.#hasToBegin()) ports.makeBlock();
  }

  #isFollowing(): boolean {
    return this.#state === "following";
  }

  #hasToBegin(): boolean {
    return this.#state === "beginning";
  }

  #prepare(epoch: number, predecessor: LeadEpoch["predecessor"]): void {
    this.#state = "beginning";
    this.#epoch = epoch;
    this.#predecessor = predecessor;
    this.#published = 0;
  }

  #begin(): void {
    const { store, ports, instance, run, gatewayUrl, timer } = this.#deps;
    const epoch = this.#epoch;
    this.#state = "leading";
    if (this.#isOver) return;
    const { newestBlock } = ports;
    ports.onEvent({ kind: "leads", epoch, newestBlock: newestBlock() });
    this.#heartbeat = new Heartbeat({
      store,
      self: { epoch, instance, run, gatewayUrl },
      predecessor: this.#predecessor,
      newestBlock,
      onDeposed: (by) => {
        this.#seen = by;
        void this.#guard(this.#stepDown());
      },
      onAttempt: (failure) => {
        ports.onEvent({ kind: "heartbeat", failure: failure ?? null });
        this.#publication.heartbeat(failure === undefined);
      },
      timer,
    });
    this.#heartbeat.start();
  }

  async #stepDown(): Promise<void> {
    const before = this.#state;
    if (this.#isOver || (before !== "beginning" && before !== "leading")) return;
    this.#heartbeat?.abandon();
    const { ports, isStandby } = this.#deps;
    // Two sequencers that start concurrently may make the same empty block; both have then published it.
    if (isStandby && this.#published <= 1) {
      ports.onEvent({ kind: "outrun", epoch: this.#epoch });
      // Callers that waited for the switch need to see the leader, so watch before following.
      this.#watchForTurn();
      await ports.follow();
      // This sequencer may already be taking over again.
      if (!this.#isOver && this.#isFollowing()) this.#startHandOver();
      return;
    }
    this.#state = "deposed";
    ports.onEvent({ kind: "deposed", epoch: this.#epoch });
    await ports.follow();
    await this.#successor();
    this.#handOver = new AbortController();
    // A handover that a stop cancels must not be waited for.
    if (!this.#isOver) await ports.handOver(HAND_OVER_MS, this.#handOver.signal);
    if (!this.#isOver) ports.onEnd(this.leader);
  }

  /** Waits until the new leader is known, at most {@link SUCCESSOR_MS}; polling continues afterwards. */
  async #successor(): Promise<void> {
    const { store, timer, ports, instance } = this.#deps;
    const seen = Promise.withResolvers<void>();
    const watch = new LeaderWatch({
      store,
      silenceMs: SUCCESSOR_MS,
      timer,
      onSeen: (seenNow) => {
        this.#onSeen(seenNow);
        if (this.leader !== undefined && this.leader.instance !== instance) seen.resolve();
      },
      onUnseen: (failure) => {
        ports.onEvent({ kind: "obstacle", obstacle: { kind: "unseen", failure } });
      },
    });
    this.#watch = watch;
    if (!this.#isOver) watch.start();
    const cancel = timer.after(SUCCESSOR_MS, () => seen.resolve());
    await seen.promise;
    cancel();
  }

  /** Reports a failure of `work`, unless the node is stopping. */
  async #guard(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const isStopping = error instanceof NodeError && error.code === "NODE_STOPPING";
      if (!this.#isOver && !isStopping) this.#deps.ports.onFailure(error);
    }
  }
}
