import { AppError } from "#base/errors/index.ts";
import type { GatewayErrorName } from "../errors.ts";

/** Request failure that is reported as a gateway error. */
export class GatewayFault extends AppError {
  readonly errorName: GatewayErrorName;

  constructor(errorName: GatewayErrorName, message: string) {
    super(`GATEWAY_${errorName}`, message);
    this.errorName = errorName;
  }
}

/** Fails a request for a block that does not exist, or not yet. Followers keep polling on this error. */
export function blockNotFound(message = "Block not found"): never {
  throw new GatewayFault("BLOCK_NOT_FOUND", message);
}

/** Fails a request with invalid parameters. */
export function malformed(message: string): never {
  throw new GatewayFault("MALFORMED_REQUEST", message);
}
