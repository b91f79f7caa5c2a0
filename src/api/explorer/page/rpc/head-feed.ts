import { type Json, type JsonObject, objectOf } from "./json.ts";

/** Events of {@link HeadFeed}. */
export interface HeadFeedEvents {
  /** A block header, as of `starknet_subscribeNewHeads`. */
  head(header: JsonObject): void;
  /** The chain was reverted: blocks from `starting_block_number` on are gone. */
  reorg(range: JsonObject): void;
  /** The connection is open, or was lost. */
  connected(isOpen: boolean): void;
}

/** Pauses between attempts to connect, in milliseconds; the last one repeats. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 5_000];

/** Subscription to new block headers that reconnects until it is stopped. */
export class HeadFeed {
  readonly #url: string;
  readonly #events: HeadFeedEvents;
  #socket: WebSocket | null = null;
  #failures = 0;
  #isStopped = false;

  constructor(url: string, events: HeadFeedEvents) {
    this.#url = url;
    this.#events = events;
  }

  /** Connects. */
  start(): void {
    if (this.#isStopped) return;
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#failures = 0;
      socket.send(
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: "starknet_subscribeNewHeads", params: {} }),
      );
      this.#events.connected(true);
    };
    socket.onmessage = ({ data }) => this.#received(String(data));
    socket.onclose = () => {
      this.#events.connected(false);
      const pauseMs = PAUSES_MS[Math.min(this.#failures++, PAUSES_MS.length - 1)];
      setTimeout(() => this.start(), pauseMs);
    };
  }

  /** Ends the subscription. */
  stop(): void {
    this.#isStopped = true;
    this.#socket?.close();
  }

  #received(text: string): void {
    const { method, params } = objectOf(JSON.parse(text) as Json);
    const result = objectOf(objectOf(params)["result"]);
    if (method === "starknet_subscriptionNewHeads") this.#events.head(result);
    if (method === "starknet_subscriptionReorg") this.#events.reorg(result);
  }
}
