/** A sender's account, as text. */
export interface SenderKey {
  readonly address: string;
  readonly privateKey: string;
}

/** Addresses from here on are unused. */
const FIRST_RECIPIENT = 0x10_0000_0000n;

/** Number of recipients that gives each transfer a separate one. */
export const FRESH_RECIPIENTS: number = Number.MAX_SAFE_INTEGER;

/** Recipient of a transfer, in rotation over a number of recipients. */
export function recipientOf(number: number, recipients: number): bigint {
  return FIRST_RECIPIENT + BigInt(number % recipients);
}

/** Order to sign a range of transfers, with the senders in rotation. */
export interface SignOrder {
  readonly kind: "sign";
  readonly chainId: string;
  readonly senders: readonly SenderKey[];
  readonly from: number;
  readonly count: number;
  /** Number of recipients, for {@link recipientOf}. */
  readonly recipients: number;
  /** Rate per second, to leave time for others; 0 for as fast as possible. */
  readonly perSecond: number;
}

/** Order to post a range of the signed transfers over connections, each sender's in order. */
export interface PostOrder {
  readonly kind: "post";
  readonly port: number;
  readonly from: number;
  readonly count: number;
  readonly connections: number;
  /** Transfers per second; 0 to post on each connection as soon as it has its response. */
  readonly perSecond: number;
  /** Posting stops once the server exceeds this resident memory. */
  readonly memory: { readonly pid: number; readonly mostResidentMiB: number };
}

/** Order for a client process; it responds with a {@link PostReport}, or `null` for others. */
export type TransferOrder = SignOrder | PostOrder;

/** Result of posting. */
export interface PostReport {
  /** Number of responses: all, unless the server reached its memory bound. */
  readonly posted: number;
  /** Time from the first request until every sender's last transfer is ACCEPTED_ON_L2. */
  readonly seconds: number;
  /** Response times, measured from the time when each was due. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Responses with an error, and the last one's text. */
  readonly refused: number;
  readonly error: string;
  /** Share of one core that the client used. */
  readonly clientShare: number;
}
