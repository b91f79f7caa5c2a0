import { NodeError } from "#base/errors/index.ts";
import { Candidacy } from "./candidacy.ts";
import { Heartbeat } from "./heartbeat.ts";
import { type LeadEpoch, nextEpoch } from "./lead-epoch.ts";
import type { LeaderRecord } from "./leader-record.ts";
import { type LeaderSeen, LeaderWatch } from "./leader-watch.ts";
import type { LeadershipDeps } from "./leadership-ports.ts";
import { PublicationWatch } from "./publication-watch.ts";

/** How long a sequencer that was deposed hands over what waits. */
export const HAND_OVER_MS = 10_000;

/** How long it waits to see who leads: whoever took over says so once its first block is published. */
export const SUCCESSOR_MS = 3_000;

/** How a sequencer stands to the others of its chain. */
export type LeadershipStanding = "following" | "beginning" | "leading" | "deposed";

/**
 * Whether a sequencer leads, and what follows from it: one that follows takes over when nobody leads, and
 * one that leads gives signs of life until somebody else has taken over.
 *
 * Nothing here keeps two from making blocks at a time: that is what the objects of their blocks do.
 */
export class Leadership {
  readonly #deps: LeadershipDeps;
  #standing: LeadershipStanding = "following";
  /** Whoever led when it was looked last. */
  #seen: LeaderRecord | undefined;
  #epoch = 0;
  #predecessor: LeadEpoch["predecessor"] = null;
  /** Blocks that were published since it began to lead. */
  #published = 0;
  /** Above this block stands another one's, which is not taken yet. */
  #outrunAt: number = Number.NEGATIVE_INFINITY;
  #watch: { stop(): void } | undefined;
  #heartbeat: Heartbeat | undefined;
  readonly #publication: PublicationWatch;
  /** Ends the handing over that is under way. */
  #handing = new AbortController();
  #isOver = false;

  constructor(deps: LeadershipDeps) {
    this.#deps = deps;
    const { publishTimeoutMs, timer } = deps;
    const onHopeless = (reason: string): void => void this.giveUp(reason);
    this.#publication = new PublicationWatch({ publishTimeoutMs, onHopeless, timer });
  }

  get standing(): LeadershipStanding {
    return this.#standing;
  }

  /** Whoever leads; `undefined`: nobody, it is not known, or it is this one. */
  get leader(): LeaderRecord | undefined {
    const { instance, gatewayUrl } = this.#deps;
    const isSelf = this.#seen?.instance === instance && this.#seen.gatewayUrl === gatewayUrl;
    if (this.#standing === "leading" || this.#standing === "beginning") return undefined;
    if (isSelf || this.#seen === undefined || this.#seen.hasStopped) return undefined;
    const { newestBlock, newestEpoch } = this.#deps.ports;
    // Whoever has published a later epoch than that is about to say so.
    const isLaterThere = newestBlock() <= this.#outrunAt;
    const leastEpoch = newestEpoch() + (isLaterThere ? 1 : 0);
    return this.#seen.epoch < leastEpoch ? undefined : this.#seen;
  }

  /** Begins as one that follows. */
  follow(): void {
    this.#watchForTurn();
    this.#handWaiting();
  }

  #watchForTurn(): void {
    const { timer, store, takeoverAfterMs, isStandby, ports } = this.#deps;
    this.#standing = "following";
    ports.onEvent({ kind: "follows" });
    const candidacy = new Candidacy({
      store,
      takeoverAfterMs,
      isStandby,
      newestBlock: () => (ports.newestBlock() < 0 ? undefined : ports.newestBlock()),
      newestPublished: ports.newestPublished,
      newestEpoch: ports.newestEpoch,
      secondsBehind: ports.secondsBehind,
      onSeen: (seen) => this.#look(seen),
      onObstacle: (obstacle) => ports.onEvent({ kind: "obstacle", obstacle: obstacle ?? null }),
      onTurn: (leader) => void this.#guard(this.#takeOver(leader)),
      timer,
    });
    this.#watch = candidacy;
    candidacy.start();
  }

  #handWaiting(): void {
    this.#handing = new AbortController();
    void this.#guard(this.#deps.ports.handOver(null, this.#handing.signal));
  }

  /** Begins as one whose threads make blocks of an epoch. */
  lead({ epoch, isNew, predecessor }: LeadEpoch): void {
    this.#prepare(epoch, predecessor);
    if (isNew) this.#deps.ports.makeBlock();
    else this.#begin();
  }

  /** A block of this sequencer waits to be published, for this reason; `undefined`: it no longer does. */
  waiting(reason: string | undefined): void {
    if (reason === undefined) this.#publication.settled();
    else this.#publication.waiting(reason);
  }

  /** A block of this sequencer is published. */
  published(): void {
    this.#publication.settled();
    this.#published++;
    if (this.#standing === "beginning") this.#begin();
  }

  /** Another one's block stands in the place of one of this sequencer. */
  refused(): void {
    this.#publication.settled();
    this.#outrunAt = this.#deps.ports.newestBlock();
    void this.#guard(this.#stepDown());
  }

  /**
   * Gives up leadership, because this sequencer can no longer make blocks: tells the others that they need not
   * wait for its silence, then reports the reason as the node's failure. A block that it still publishes
   * competes with that of whoever takes over, like any other. Does nothing in a sequencer that does not lead.
   */
  async giveUp(reason: string): Promise<void> {
    if (this.#isOver || (this.#standing !== "beginning" && this.#standing !== "leading")) return;
    const { ports } = this.#deps;
    ports.onEvent({ kind: "givesUp", epoch: this.#epoch, reason });
    this.#standing = "deposed";
    await this.stop();
    ports.onFailure(new NodeError("NODE_GAVE_UP", `leadership is given up: ${reason}`));
  }

  /** The node is about to stop: nothing changes any more. */
  freeze(): void {
    this.#isOver = true;
    this.#watch?.stop();
    this.#handing.abort();
  }

  /** The threads have stopped: whoever follows need not wait. Settles when that is said, or cannot be. */
  async stop(): Promise<void> {
    this.freeze();
    await this.#heartbeat?.stop();
  }

  #look({ leader, hasMoved }: LeaderSeen): void {
    const { ports, isStandby } = this.#deps;
    const before = this.#seen;
    this.#seen = leader;
    if (leader === undefined) return;
    const isSame = before?.instance === leader.instance && before.epoch === leader.epoch;
    if (!isSame) ports.onEvent({ kind: "leader", leader });
    if (this.#standing !== "following" || isStandby || !hasMoved || leader.hasStopped) return;
    // One that was started to lead, and still takes blocks that it has not: somebody leads.
    this.freeze();
    this.#standing = "deposed";
    ports.onEnd(leader);
  }

  async #takeOver(from: LeaderRecord | undefined): Promise<void> {
    const { ports } = this.#deps;
    const epoch = nextEpoch(from, ports.newestEpoch());
    this.#prepare(epoch, null);
    this.#handing.abort();
    ports.onEvent({ kind: "takesOver", epoch, from });
    await ports.lead(epoch);
    // Its first block may have been made, or refused, by then.
    if (!this.#isOver && this.#hasToBegin()) ports.makeBlock();
  }

  #isFollowing(): boolean {
    return this.#standing === "following";
  }

  #hasToBegin(): boolean {
    return this.#standing === "beginning";
  }

  #prepare(epoch: number, predecessor: LeadEpoch["predecessor"]): void {
    this.#standing = "beginning";
    this.#epoch = epoch;
    this.#predecessor = predecessor;
    this.#published = 0;
  }

  #begin(): void {
    const { store, ports, instance, run, gatewayUrl, timer } = this.#deps;
    const epoch = this.#epoch;
    this.#standing = "leading";
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
        this.#publication.beaten(failure === undefined);
      },
      timer,
    });
    this.#heartbeat.start();
  }

  async #stepDown(): Promise<void> {
    const before = this.#standing;
    if (this.#isOver || (before !== "beginning" && before !== "leading")) return;
    this.#heartbeat?.abandon();
    const { ports, isStandby } = this.#deps;
    // Two that begin at the same time may make the same empty block: then both have published it.
    if (isStandby && this.#published <= 1) {
      ports.onEvent({ kind: "outrun", epoch: this.#epoch });
      // Who leads is known when whoever waited for the change is handed to it.
      this.#watchForTurn();
      await ports.follow();
      // Its turn may have come again.
      if (!this.#isOver && this.#isFollowing()) this.#handWaiting();
      return;
    }
    this.#standing = "deposed";
    ports.onEvent({ kind: "deposed", epoch: this.#epoch });
    await ports.follow();
    await this.#successor();
    this.#handing = new AbortController();
    // Whoever stops it meanwhile does not wait for it.
    if (!this.#isOver) await ports.handOver(HAND_OVER_MS, this.#handing.signal);
    if (!this.#isOver) ports.onEnd(this.leader);
  }

  /** Waits until it is seen who leads, for {@link SUCCESSOR_MS} at the most; goes on looking. */
  async #successor(): Promise<void> {
    const { store, timer, ports, instance } = this.#deps;
    const seen = Promise.withResolvers<void>();
    const watch = new LeaderWatch({
      store,
      silenceMs: SUCCESSOR_MS,
      timer,
      onSeen: (look) => {
        this.#look(look);
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

  /** Of a node that is stopping nothing is a failure. */
  async #guard(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const isStopping = error instanceof NodeError && error.code === "NODE_STOPPING";
      if (!this.#isOver && !isStopping) this.#deps.ports.onFailure(error);
    }
  }
}
