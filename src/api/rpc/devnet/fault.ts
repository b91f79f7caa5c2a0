import type { JsonValue } from "#base/codec/index.ts";
import { AppError } from "#base/errors/index.ts";
import type { RpcErrorObject } from "../spec/version.ts";

/** Error codes of starknet-devnet for errors that the Starknet specification does not define. */
export const DEVNET_CODES = {
  /** The operation failed; the message contains the reason. */
  failed: -1,
  /** The chain's state does not allow the operation. */
  unsupported: -32600,
  /** The operator has forbidden the method. */
  forbidden: -32604,
} as const;

/** A valid developer request that cannot be carried out; its message is sent to the client. */
export class DevnetFault extends AppError {
  readonly error: RpcErrorObject;

  constructor(message: string, code: number = DEVNET_CODES.failed, data?: JsonValue) {
    super("RPC_DEVNET", message);
    this.error = { code, message, ...(data === undefined ? {} : { data }) };
  }
}
