import { describeError } from "#base/telemetry/index.ts";
import type { L1WatchEvent, StateEvent } from "#services/l1-watch/index.ts";

/** Derives from the events of following whether L1 is followed. */
export class L1FollowState {
  #failure: string | undefined;
  #doubt: string | undefined;

  /** Reason why L1 is not followed; `undefined` while it is. */
  get finding(): string | undefined {
    return this.#failure ?? this.#doubt;
  }

  watch(event: L1WatchEvent): void {
    if (event.kind === "stepped") this.#failure = undefined;
    else if (event.kind === "failed" && event.part === "logs") {
      this.#failure = describeError(event.error);
    }
  }

  state(event: StateEvent): void {
    if (event.kind === "resolved") this.#doubt = undefined;
    else if (event.kind === "doubted") {
      const { update, said } = event;
      this.#doubt = `L1 seems to have another block ${update.blockNumber}, which is not confirmed: ${said}`;
    }
  }
}
