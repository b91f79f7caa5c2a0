import type { JsonValue } from "#base/codec/index.ts";
import { AppError } from "#base/errors/index.ts";
import type { RpcErrorObject } from "../spec/version.ts";

/** Codes that starknet-devnet gives what the specification of Starknet has no error for. */
export const DEVNET_CODES = {
  /** Something failed; the message says what. */
  failed: -1,
  /** The chain's state does not allow what was asked. */
  unsupported: -32600,
  /** Whoever runs the node has forbidden the method. */
  forbidden: -32604,
} as const;

/** A request for developers was understood and cannot be done; callers are told the message. */
export class DevnetFault extends AppError {
  readonly error: RpcErrorObject;

  constructor(message: string, code: number = DEVNET_CODES.failed, data?: JsonValue) {
    super("RPC_DEVNET", message);
    this.error = { code, message, ...(data === undefined ? {} : { data }) };
  }
}
