import type { NodeMetrics } from "#base/metrics/index.ts";
import { loggable, type Logger } from "#base/telemetry/index.ts";
import type {
  CandidacyObstacle,
  LeaderRecord,
  LeadershipEvent,
} from "#services/replication/index.ts";
import { shownAddress } from "#base/primitives/index.ts";

/** What is told of leading goes where. */
export interface LeadershipReportDeps {
  readonly log: Pick<Logger, "error" | "info" | "warn">;
  readonly metrics: Pick<NodeMetrics["replication"], "epoch" | "leader">;
}

/** Tells the log and metrics who leads the chain, and what this sequencer has to do with it. */
export class LeadershipReport {
  readonly #deps: LeadershipReportDeps;
  #obstacle: CandidacyObstacle["kind"] | undefined;
  #isBeatLost = false;

  constructor(deps: LeadershipReportDeps) {
    this.#deps = deps;
  }

  /** Something is another way than before. */
  tell(event: LeadershipEvent): void {
    const { log, metrics } = this.#deps;
    switch (event.kind) {
      case "follows":
        metrics.leader.set(0);
        log.info("following the sequencer that leads");
        return;
      case "leader":
        metrics.epoch.set(event.leader.epoch);
        log.info("the sequencer that leads", leaderFields(event.leader));
        return;
      case "obstacle":
        this.#obstructed(event.obstacle);
        return;
      case "takesOver":
        log.warn("nobody leads the chain: taking over", {
          epoch: event.epoch,
          from:
            event.from === undefined
              ? "nobody"
              : loggable(gatewayName(event.from.gatewayUrl) ?? "unknown"),
          stopped: event.from?.hasStopped ?? false,
        });
        return;
      case "leads":
        metrics.leader.set(1);
        metrics.epoch.set(event.epoch);
        log.info("leading the chain", { epoch: event.epoch, block: event.newestBlock });
        return;
      case "outrun":
        metrics.leader.set(0);
        log.warn("another sequencer took over first", { epoch: event.epoch });
        return;
      case "heartbeat":
        this.#beaten(event.failure?.message);
        return;
      case "givesUp":
        metrics.leader.set(0);
        log.error("this sequencer gives up leadership: another one may take over", {
          epoch: event.epoch,
          reason: loggable(event.reason),
        });
        return;
      case "deposed":
        metrics.leader.set(0);
        log.warn("another sequencer has taken over: no more blocks are made here", {
          epoch: event.epoch,
        });
        return;
    }
  }

  #obstructed(obstacle: CandidacyObstacle | null): void {
    const { log } = this.#deps;
    const before = this.#obstacle;
    this.#obstacle = obstacle?.kind;
    if (before === obstacle?.kind) return;
    if (before === "unseen" && obstacle?.kind !== "unseen") log.info("the object store answers");
    switch (obstacle?.kind) {
      case undefined:
        return;
      case "unseen":
        log.warn("the object store does not answer: nobody knows who leads", {
          reason: loggable(obstacle.failure.message),
        });
        return;
      case "behind":
        log.warn("nobody leads the chain, and there are blocks to take before this one can", {
          newest: obstacle.newestBlock,
          published: obstacle.publishedBlock,
        });
        return;
      case "clock":
        log.error(
          "nobody leads the chain, and this sequencer's clock is behind the newest block: it does not take over; set the clock, or give --trust-clock",
          { newest: obstacle.newestBlock, seconds: obstacle.seconds },
        );
        return;
      case "lost":
        log.error(lostText(obstacle.publishedBlock, obstacle.newestBlock));
        return;
    }
  }

  #beaten(failure: string | undefined): void {
    const { log } = this.#deps;
    if (failure !== undefined && !this.#isBeatLost) {
      log.warn("no sign of life can be given: others may take over", { reason: loggable(failure) });
    }
    if (failure === undefined && this.#isBeatLost) log.info("signs of life are given again");
    this.#isBeatLost = failure !== undefined;
  }
}

/** What the log says of who leads. */
export function leaderFields({ epoch, gatewayUrl }: Pick<LeaderRecord, "epoch" | "gatewayUrl">): {
  readonly epoch: number;
  readonly gateway: string;
} {
  return { epoch, gateway: loggable(gatewayName(gatewayUrl) ?? "none") };
}

/** That the store lost what was published. */
export function lostText(publishedBlock: number, newestBlock: number): string {
  return `the sequencer that led has published blocks up to ${publishedBlock}, and the object store has ${newestBlock < 0 ? "none" : `them up to ${newestBlock}`}: put the lost objects back, or start a sequencer on the data directory that has these blocks; where nobody has them any more, delete the object "leader"`;
}

function gatewayName(url: string | null): string | null {
  return url === null ? null : shownAddress(url);
}
