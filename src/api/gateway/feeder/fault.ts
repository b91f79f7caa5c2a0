import { AppError } from "#base/errors/index.ts";
import type { GatewayErrorName } from "../errors.ts";

/** A request ends with an error of the gateway. */
export class GatewayFault extends AppError {
  readonly errorName: GatewayErrorName;

  constructor(errorName: GatewayErrorName, message: string) {
    super(`GATEWAY_${errorName}`, message);
    this.errorName = errorName;
  }
}

/** Ends a request for a block that is not there, or not yet: whoever follows waits for it. */
export function blockNotFound(message = "Block not found"): never {
  throw new GatewayFault("BLOCK_NOT_FOUND", message);
}

/** Ends a request whose parameters do not fit. */
export function malformed(message: string): never {
  throw new GatewayFault("MALFORMED_REQUEST", message);
}
