import { L1Error } from "#base/errors/index.ts";

/** What was wrong with what an endpoint said, or that it said nothing. */
export type FaultKind =
  /** Nobody answers at its address. */
  | "unreachable"
  /** It took too long. */
  | "timeout"
  /** It asks to be asked less. */
  | "throttled"
  /** Its answer is longer than it may be. */
  | "too_long"
  /** It answered with an error of JSON-RPC. */
  | "refused"
  /** It answered with something else than what was asked for. */
  | "nonsense"
  /** What it says cannot be true, by itself or beside what others say. */
  | "contradiction"
  /** Its head or a block that counts is older than one it had, or than those of others. */
  | "backwards"
  /** It is of another chain. */
  | "other_chain"
  /** Whoever asked has stopped. */
  | "stopped";

/** An endpoint of L1 failed. Its texts have no part of the address that may be a key. */
export class EndpointFault extends L1Error {
  readonly kind: FaultKind;
  /** How long it asks to be left alone, milliseconds; `undefined`: it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: FaultKind, message: string, retryAfterMs?: number) {
    super(`L1_${kind.toUpperCase()}`, message, kind !== "stopped", { meta: { kind } });
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A fault about the form of an answer. */
export function nonsense(message: string): EndpointFault {
  return new EndpointFault("nonsense", message);
}

/** A fault about an answer that cannot be true. */
export function contradiction(message: string): EndpointFault {
  return new EndpointFault("contradiction", message);
}
