/** An account that sends, as text. */
export interface SenderKey {
  readonly address: string;
  readonly privateKey: string;
}

/** Nobody has the addresses from here on. */
const FIRST_RECIPIENT = 0x10_0000_0000n;

/** So many recipients that each transfer has one of its own. */
export const FRESH_RECIPIENTS: number = Number.MAX_SAFE_INTEGER;

/** Where a transfer goes: there are so many recipients, who take turns. */
export function recipientOf(number: number, recipients: number): bigint {
  return FIRST_RECIPIENT + BigInt(number % recipients);
}

/** Sign a range of transfers, one of each sender in turn. */
export interface SignOrder {
  readonly kind: "sign";
  readonly chainId: string;
  readonly senders: readonly SenderKey[];
  readonly from: number;
  readonly count: number;
  /** Of {@link recipientOf}. */
  readonly recipients: number;
  /** How many a second, beside what others do; 0: as fast as it goes. */
  readonly perSecond: number;
}

/** Post a range of the signed transfers over so many connections, each sender's in their order. */
export interface PostOrder {
  readonly kind: "post";
  readonly port: number;
  readonly from: number;
  readonly count: number;
  readonly connections: number;
  /** Transfers a second; 0: each connection posts as soon as it has its answer. */
  readonly perSecond: number;
  /** Nothing more is posted once the server has more resident memory than this. */
  readonly memory: { readonly pid: number; readonly mostResidentMiB: number };
}

/** What a client process is told; it answers each with a {@link PostReport}, or `null` for others. */
export type TransferOrder = SignOrder | PostOrder;

/** How posting went. */
export interface PostReport {
  /** How many had an answer: all, unless the server's memory was at its bound. */
  readonly posted: number;
  /** From the first request to the moment that every sender's last transfer is ACCEPTED_ON_L2. */
  readonly seconds: number;
  /** Times of answers: from the moment that each was due. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Answers with an error, and the last one's text. */
  readonly refused: number;
  readonly error: string;
  /** Part of one core that the client took. */
  readonly clientShare: number;
}
