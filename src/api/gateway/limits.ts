import { type ConnectionLimits, JSON_LIMITS } from "#api/rpc/index.ts";

/** Most bytes of the body of a transaction, as it is sent and again unpacked; the networks' limit. */
export const MAX_BODY_BYTES: number = 15 << 20;

/**
 * Limits of a transaction's JSON. Programs are packed here, so that the ABI of a Cairo 0 class has most
 * parts: a fourth of what JSON-RPC takes is many times that of any.
 */
export const TRANSACTION_JSON_LIMITS: { readonly [K in keyof typeof JSON_LIMITS]: number } = {
  ...JSON_LIMITS,
  maxElements: 250_000,
};

/**
 * Connections of the gateway's port, which are its own: clients of one port keep nobody out of the other
 * one. As many as `--rpc-max-connections` takes by default.
 */
export const GATEWAY_CONNECTIONS: ConnectionLimits = { max: 1_000, maxPerAddress: Infinity };
