import { OriginError } from "#base/errors/index.ts";
import { type OriginQuery, originQueryText } from "../query.ts";
import type { OriginChannel } from "../channel.ts";
import { decodeFailure } from "./failure.ts";
import type { OriginRequest } from "./messages.ts";
import type { WaitPatience } from "./patience.ts";
import { createWaitPage, type Piece, WaitPage } from "./wait-page.ts";

/** Maximum size of a piece: larger values, such as classes and blocks, arrive in several. */
const PIECE_BYTES = 256 << 10;

/** Interval of {@link WaitingChannelDeps.beat} and of the check whether to stop, in milliseconds. */
const SLICE_MS = 20;

/** Dependencies of {@link WaitingChannel}. */
export interface WaitingChannelDeps {
  readonly post: (message: OriginRequest) => void;
  /** Decides how long to wait for each value. The answering thread has a deadline, too. */
  readonly patience: WaitPatience;
  readonly nowMs: () => number;
  /** Whether the work that needs the value must end. */
  readonly isStopped: () => boolean;
  /** Called while the thread waits: it is alive. */
  readonly beat: () => void;
}

/** Asks another thread for values of the origin, and waits in shared memory for each. */
export class WaitingChannel implements OriginChannel {
  readonly #deps: WaitingChannelDeps;
  readonly #page: WaitPage;
  #id = 0;

  constructor(deps: WaitingChannelDeps) {
    this.#deps = deps;
    const page = createWaitPage(PIECE_BYTES);
    this.#page = new WaitPage(page);
    deps.post({ kind: "page", page });
  }

  ask(query: OriginQuery, companions: readonly OriginQuery[] = []): Uint8Array | null {
    const { post, patience, nowMs } = this.#deps;
    const id = ++this.#id;
    const startMs = nowMs();
    const endsAtMs = startMs + patience.limitMs();
    const pieces: Uint8Array[] = [];
    this.#page.expect(id);
    post({ kind: "ask", id, query, companions });
    for (;;) {
      const { kind, bytes } = this.#wait(query, endsAtMs);
      if (kind !== "failed") patience.arrived(nowMs() - startMs);
      if (kind === "absent") return null;
      if (kind === "failed") {
        const failure = decodeFailure(bytes);
        if (failure.retryable) patience.failed();
        throw failure;
      }
      pieces.push(bytes);
      if (kind === "last") return pieces.length === 1 ? bytes : Buffer.concat(pieces);
      this.#page.expect(id);
      post({ kind: "more", id });
    }
  }

  require(queries: readonly OriginQuery[]): void {
    if (queries.length > 1) this.#deps.post({ kind: "prefetch", queries });
  }

  #wait(query: OriginQuery, endsAtMs: number): Piece {
    const { patience, nowMs, isStopped, beat } = this.#deps;
    for (;;) {
      const leftMs = endsAtMs - nowMs();
      const piece = this.#page.take(Math.max(0, Math.min(SLICE_MS, leftMs)));
      if (piece !== undefined) return piece;
      beat();
      const reason = isStopped()
        ? "the request was cancelled"
        : leftMs <= 0
          ? "the fork's origin does not respond in time"
          : undefined;
      if (reason === undefined) continue;
      patience.failed();
      this.#page.giveUp();
      const message = `${originQueryText(query)}: ${reason}`;
      throw new OriginError("ORIGIN_UNAVAILABLE", message, true);
    }
  }
}
