import { RpcRefusal } from "#io/client/index.ts";

/**
 * Codes of the JSON-RPC errors that an origin returns for a value, block id or method that it does
 * not have.
 */
export const RPC_CODES = {
  contractNotFound: 20,
  blockNotFound: 24,
  classHashNotFound: 28,
  transactionNotFound: 29,
  noTrace: 10,
  unknownToken: 33,
  proofNotSupported: 42,
  methodNotFound: -32_601,
  invalidParams: -32_602,
} as const;

/** Whether an error is a response of the origin with this code. */
export function isRefusal(error: unknown, code: number): error is RpcRefusal {
  return error instanceof RpcRefusal && error.rpcCode === code;
}

/**
 * Replaces a response with this error code by `undefined`.
 *
 * @throws every other error of `reading`
 */
export async function orAbsent<T>(reading: Promise<T>, code: number): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isRefusal(error, code)) return undefined;
    throw error;
  }
}
