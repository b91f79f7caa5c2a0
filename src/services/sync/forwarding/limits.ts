/** Limits of forwarded transactions and of status lookups. */
export interface ForwardingLimits {
  /** Maximum number of transactions tracked. */
  readonly maxReceived: number;
  /** Maximum size of tracked transactions in bytes. */
  readonly maxReceivedBytes: number;
  /** Time for which a transaction is tracked, unless a block contains it earlier. */
  readonly receivedMs: number;
  /** Interval between status requests for a transaction that is in no block. */
  readonly doubtMs: number;
  /** Maximum number of submissions in flight to the gateway. */
  readonly maxSubmitting: number;
  /** Maximum number of submissions that wait for one of those slots. */
  readonly maxWaiting: number;
  /** Maximum number of declarations in flight; each may be compiled for a minute. */
  readonly maxDeclaring: number;
  /** Maximum number of declarations that wait for one of those slots. */
  readonly maxDeclarationsWaiting: number;
  /** Maximum number of waiting submissions per account. */
  readonly maxWaitingOfSender: number;
  /** Maximum number of status lookups in flight. */
  readonly maxLookups: number;
  /** Maximum number of status lookups that wait. */
  readonly maxLookupsWaiting: number;
  /** Maximum wait for the lookup of a hash that is unknown here. */
  readonly lookupMs: number;
  /** Time for which a status response is cached. */
  readonly statusMs: number;
  /** Time for which a transaction known to a gateway counts as known while no gateway answers. */
  readonly knownMs: number;
}

/** Limits used by nodes. */
export const FORWARDING_LIMITS: ForwardingLimits = {
  maxReceived: 30_000,
  maxReceivedBytes: 128 << 20,
  receivedMs: 300_000,
  doubtMs: 5_000,
  maxSubmitting: 96,
  maxWaiting: 1_024,
  maxDeclaring: 8,
  maxDeclarationsWaiting: 16,
  maxWaitingOfSender: 64,
  maxLookups: 24,
  maxLookupsWaiting: 512,
  lookupMs: 2_000,
  statusMs: 1_000,
  knownMs: 60_000,
};
