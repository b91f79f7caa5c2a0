/** What WebSocket connections may take. */
export interface WsLimits {
  /** Subscriptions of one connection. */
  readonly maxSubscriptions: number;
  /** Felts in the filters of all subscriptions of one connection. */
  readonly maxFilterFelts: number;
  /** The same of all connections together, where each subscription counts as some felts more. */
  readonly maxAllFilterFelts: number;
  /** Requests of one connection that are answered at the same time; more are left in the socket. */
  readonly maxInFlight: number;
  /** Most bytes that wait for a client that reads too slowly, before it is dropped. */
  readonly maxWaitingBytes: number;
  /**
   * Pause between the response to a subscription and its first notification. Clients such as starknet.js 9 drop
   * notifications that they read together with the response, because they learn the subscription's id only afterwards.
   */
  readonly gateMs: number;
  /** Maximum unsent bytes for all clients together: above it, the slowest reader is dropped. */
  readonly maxAllWaitingBytes: number;
}

/** What is the same on every node. */
export const WS_LIMITS: Omit<WsLimits, "maxSubscriptions"> = {
  maxFilterFelts: 8_192,
  maxAllFilterFelts: 1 << 18,
  maxInFlight: 16,
  maxWaitingBytes: 4 << 20,
  gateMs: 5,
  maxAllWaitingBytes: 256 << 20,
};

/** Times of WebSocket connections. */
export interface WsTimes {
  /** Between two pings. */
  readonly pingMs: number;
  /** For a client to be heard of after a ping, and for one that is written to, to take something. */
  readonly pongMs: number;
  /** For a client to take the end of the connection. */
  readonly closeMs: number;
}

/** The same on every node. */
export const WS_TIMES: WsTimes = { pingMs: 30_000, pongMs: 30_000, closeMs: 10_000 };

/** While more than this waits for a client, it gets no older blocks and its requests are not read. */
export const HIGH_WATER_BYTES = 262_144;

/** Most pings and pongs of a client between two checks, which are at most a second apart. */
export const MAX_CONTROL_FRAMES = 200;

/** Most blocks before the newest one that a subscription may begin with, as the specification says. */
export const MAX_BLOCKS_BACK = 1_024;

/** Work for subscribers between two turns of the event loop, in milliseconds. */
export const SLICE_MS = 4;
