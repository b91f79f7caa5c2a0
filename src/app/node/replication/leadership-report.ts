import type { NodeMetrics } from "#base/metrics/index.ts";
import { loggable, type Logger } from "#base/telemetry/index.ts";
import type {
  CandidacyObstacle,
  LeaderRecord,
  LeadershipEvent,
} from "#services/replication/index.ts";
import { shownAddress } from "#base/primitives/index.ts";

/** Dependencies of {@link LeadershipReport}. */
export interface LeadershipReportDeps {
  readonly log: Pick<Logger, "error" | "info" | "warn">;
  readonly metrics: Pick<NodeMetrics["replication"], "epoch" | "leader">;
}

/** Reports to log and metrics which sequencer leads, and this sequencer's part in it. */
export class LeadershipReport {
  readonly #deps: LeadershipReportDeps;
  #obstacle: CandidacyObstacle["kind"] | undefined;
  #isBeatLost = false;

  constructor(deps: LeadershipReportDeps) {
    this.#deps = deps;
  }

  tell(event: LeadershipEvent): void {
    const { log, metrics } = this.#deps;
    switch (event.kind) {
      case "follows":
        metrics.leader.set(0);
        log.info("following the leading sequencer");
        return;
      case "leader":
        metrics.epoch.set(event.leader.epoch);
        log.info("the leading sequencer", leaderFields(event.leader));
        return;
      case "obstacle":
        this.#obstructed(event.obstacle);
        return;
      case "takesOver":
        log.warn("no sequencer leads the chain: taking over", {
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
        log.warn("another sequencer has taken over: this one stops producing blocks", {
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
    if (before === "unseen" && obstacle?.kind !== "unseen") log.info("the object store responds");
    switch (obstacle?.kind) {
      case undefined:
        return;
      case "unseen":
        log.warn("the object store does not respond: the leader is unknown", {
          reason: loggable(obstacle.failure.message),
        });
        return;
      case "behind":
        log.warn("no sequencer leads the chain, and this one has to sync blocks before it can", {
          newest: obstacle.newestBlock,
          published: obstacle.publishedBlock,
        });
        return;
      case "clock":
        log.error(
          "no sequencer leads the chain, and this one's clock is behind the newest block: it does not take over; set the clock, or give --trust-clock",
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
      log.warn("cannot write the heartbeat: another sequencer may take over", {
        reason: loggable(failure),
      });
    }
    if (failure === undefined && this.#isBeatLost) log.info("the heartbeat is written again");
    this.#isBeatLost = failure !== undefined;
  }
}

/** Log fields of a leader. */
export function leaderFields({ epoch, gatewayUrl }: Pick<LeaderRecord, "epoch" | "gatewayUrl">): {
  readonly epoch: number;
  readonly gateway: string;
} {
  return { epoch, gateway: loggable(gatewayName(gatewayUrl) ?? "none") };
}

/** Error text for published blocks that the store has lost. */
export function lostText(publishedBlock: number, newestBlock: number): string {
  return `the last leader has published blocks up to ${publishedBlock}, but the object store has ${newestBlock < 0 ? "none" : `only those up to ${newestBlock}`}: restore the lost objects, or start a sequencer on the data directory that has these blocks; if they are lost everywhere, delete the object "leader"`;
}

function gatewayName(url: string | null): string | null {
  return url === null ? null : shownAddress(url);
}
