import { AppError } from "#base/errors/index.ts";

/** JSON-RPC error response of a node; `rpcCode` is its code. */
export class RpcRefusal extends AppError {
  readonly rpcCode: number;

  constructor(method: string, rpcCode: number, message: string) {
    super("RPC_REFUSED", `${method} was answered with error ${rpcCode}: ${message}`, {
      meta: { method, rpcCode },
    });
    this.rpcCode = rpcCode;
  }
}
