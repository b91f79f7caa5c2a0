import type { Seat } from "./fleet-world.ts";
import { post, type Submitted } from "./kill-load.ts";

/** Pause between two health checks, as in `deploy/fleet/haproxy.cfg`. */
const CHECK_MS = 500;
/** Maximum servers per request, as `retries` there. */
const MAX_TRIES = 6;

/**
 * Routes submissions as `deploy/fleet/haproxy.cfg` does: to the leading sequencer, to a standby
 * while none leads, and to another one if the connection breaks before the response.
 */
export class FleetBalancer implements Disposable {
  readonly #seats: readonly Seat[];
  /** Healthy sequencers, the leader first. */
  #targets: readonly Seat[] = [];
  #isOver = false;

  constructor(seats: readonly Seat[]) {
    this.#seats = seats;
    this.#targets = seats;
    void this.#check();
  }

  /** Sends a JSON-RPC body. @returns the response; `undefined` if no server responded */
  async submit(body: string): Promise<Submitted | undefined> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const seat = this.#targets[0];
      const url = seat?.node?.url;
      const answer = url === undefined ? undefined : await post<Submitted>(url, body);
      if (answer !== undefined) return answer;
      // Moves a failed server to the end until the next check.
      this.#targets = [...this.#targets.filter((each) => each !== seat), ...(seat ? [seat] : [])];
    }
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
  }

  async #check(): Promise<void> {
    while (!this.#isOver) {
      const ranks = await Promise.all(this.#seats.map(rankOf));
      const ranked = this.#seats.map((seat, i) => ({ seat, rank: ranks[i] ?? 0 }));
      const healthy = ranked.filter(({ rank }) => rank > 0).toSorted((a, b) => b.rank - a.rank);
      if (healthy.length > 0) this.#targets = healthy.map(({ seat }) => seat);
      await Bun.sleep(CHECK_MS);
    }
  }
}

/** Rank of a server: 2 if it leads, 1 if it serves, 0 without a response. */
async function rankOf({ gateway }: Seat): Promise<number> {
  try {
    const { status } = await fetch(`${gateway}/leader`, { signal: AbortSignal.timeout(1_000) });
    return status === 200 ? 2 : 1;
  } catch {
    return 0;
  }
}
