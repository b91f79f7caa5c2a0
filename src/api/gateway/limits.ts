import type { ConnectionLimits } from "#api/rpc/index.ts";

/** Most bytes of the body of a transaction, as it is sent and again unpacked; the networks' limit. */
export const MAX_BODY_BYTES: number = 15 << 20;

/**
 * Connections of the gateway's port, which are its own: clients of one port keep nobody out of the other
 * one. As many as `--rpc-max-connections` takes by default.
 */
export const GATEWAY_CONNECTIONS: ConnectionLimits = { max: 1_000, maxPerAddress: Infinity };
