import { type ConnectionLimits, JSON_LIMITS } from "#api/rpc/index.ts";

/**
 * Maximum size of a transaction's request body in bytes, both compressed and decompressed; same as the public
 * networks.
 */
export const MAX_BODY_BYTES: number = 15 << 20;

/**
 * JSON limits of a transaction. Programs arrive compressed, so the ABI of a Cairo 0 class has the most
 * elements. A quarter of the JSON-RPC limit is still many times the size of any real ABI.
 */
export const TRANSACTION_JSON_LIMITS: { readonly [K in keyof typeof JSON_LIMITS]: number } = {
  ...JSON_LIMITS,
  maxElements: 250_000,
};

/**
 * Connection limits of the gateway's port. They are separate from the JSON-RPC port's, so clients of one port
 * cannot lock out the other. Same maximum as the default of `--rpc-max-connections`.
 */
export const GATEWAY_CONNECTIONS: ConnectionLimits = { max: 1_000, maxPerAddress: Infinity };
