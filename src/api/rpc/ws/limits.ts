/** Limits of WebSocket connections. */
export interface WsLimits {
  readonly maxSubscriptions: number;
  /** Felts in the filters of all subscriptions of one connection. */
  readonly maxFilterFelts: number;
  /** Maximum filter felts over all connections; here each subscription counts as some additional felts. */
  readonly maxAllFilterFelts: number;
  /** Requests of one connection in flight at the same time; further ones are left in the socket. */
  readonly maxInFlight: number;
  /**
   * Characters of one connection's requests in flight together; a request beyond them is in flight alone.
   * Without this limit, 16 long batches of each of a thousand connections would fill memory.
   */
  readonly maxInFlightCharacters: number;
  /** Maximum unsent bytes for a client that reads too slowly, before it is dropped. */
  readonly maxWaitingBytes: number;
  /**
   * Pause between the response to a subscription and its first notification. Clients such as starknet.js 9
   * drop notifications that they read together with the response, because they learn the subscription's id
   * only afterwards.
   */
  readonly gateMs: number;
  /** Maximum unsent bytes for all clients together: above it, the slowest reader is dropped. */
  readonly maxAllWaitingBytes: number;
}

/** Limits of WebSocket connections that no option changes. */
export const WS_LIMITS: Omit<WsLimits, "maxSubscriptions"> = {
  maxFilterFelts: 8_192,
  maxAllFilterFelts: 1 << 18,
  maxInFlight: 16,
  maxInFlightCharacters: 65_536,
  maxWaitingBytes: 4 << 20,
  gateMs: 5,
  maxAllWaitingBytes: 256 << 20,
};

/** Time limits of WebSocket connections. */
export interface WsTimes {
  /** Interval between pings. */
  readonly pingMs: number;
  /** Time for a client to react to a ping, or to read any of its pending output. */
  readonly pongMs: number;
  /** Time for a client to complete the closing handshake. */
  readonly closeMs: number;
}

/** Time limits of WebSocket connections; no option changes them. */
export const WS_TIMES: WsTimes = { pingMs: 30_000, pongMs: 30_000, closeMs: 10_000 };

/**
 * Number of unsent bytes above which a client gets no older blocks and its requests are not read.
 */
export const HIGH_WATER_BYTES = 65_536;

/** Maximum pings and pongs of a client between two checks, which are at most a second apart. */
export const MAX_CONTROL_FRAMES = 200;

/**
 * Maximum distance of a subscription's first block from the newest one, as the specification
 * defines it.
 */
export const MAX_BLOCKS_BACK = 1_024;

/** Maximum time that notifying subscribers takes in one turn of the event loop, in milliseconds. */
export const SLICE_MS = 4;
