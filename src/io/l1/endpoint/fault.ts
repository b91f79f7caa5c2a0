import { L1Error } from "#base/errors/index.ts";

/** Kind of an endpoint failure. */
export type FaultKind =
  /** The connection failed. */
  | "unreachable"
  | "timeout"
  /** It throttles requests. */
  | "throttled"
  /** The response exceeds its size limit. */
  | "too_long"
  /** It responded with a JSON-RPC error. */
  | "refused"
  /** The response has an unexpected shape. */
  | "nonsense"
  /** The response cannot be true, by itself or compared with other endpoints' responses. */
  | "contradiction"
  /** Its head or final block is older than before, or older than at other endpoints. */
  | "backwards"
  /** It serves another chain. */
  | "other_chain"
  /** The caller stopped. */
  | "stopped";

/** Failure of an L1 endpoint. Its texts contain no part of the address that may be a key. */
export class EndpointFault extends L1Error {
  readonly kind: FaultKind;
  /** Delay requested by the endpoint in milliseconds; `undefined` if it states none. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: FaultKind, message: string, retryAfterMs?: number) {
    super(`L1_${kind.toUpperCase()}`, message, kind !== "stopped", { meta: { kind } });
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Creates a fault for a response of an unexpected shape. */
export function nonsense(message: string): EndpointFault {
  return new EndpointFault("nonsense", message);
}

/** Creates a fault for a response that cannot be true. */
export function contradiction(message: string): EndpointFault {
  return new EndpointFault("contradiction", message);
}
