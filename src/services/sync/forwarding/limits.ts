/** Bounds of what is handed on, and of what is asked after. */
export interface ForwardingLimits {
  /** Most transactions that are remembered. */
  readonly maxReceived: number;
  /** Most bytes of them together. */
  readonly maxReceivedBytes: number;
  /** How long they are, unless they are seen in a block before. */
  readonly receivedMs: number;
  /** When one that is in no block is asked after, and again. */
  readonly doubtMs: number;
  /** Most submissions under way to the gateway, and most that wait for one of them to end. */
  readonly maxSubmitting: number;
  readonly maxWaiting: number;
  /** The same of declarations, each of which may be compiled for a minute. */
  readonly maxDeclaring: number;
  readonly maxDeclarationsWaiting: number;
  /** Most submissions of one account that wait. */
  readonly maxWaitingOfSender: number;
  /** Most questions for hashes under way, and most that wait. */
  readonly maxLookups: number;
  readonly maxLookupsWaiting: number;
  /** Longest wait of whoever asks for a hash that is not known here. */
  readonly lookupMs: number;
  /** How long an answer about a hash is believed. */
  readonly statusMs: number;
  /** How long a transaction that a gateway knew counts as known while no gateway answers. */
  readonly knownMs: number;
}

/** The bounds that nodes have. */
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
