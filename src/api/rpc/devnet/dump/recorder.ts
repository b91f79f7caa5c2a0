import type { Felt } from "#base/primitives/index.ts";

/**
 * Position of a request in a dump. `transaction`: at its transaction on the chain. `block`: at the block that
 * it created. `write`: after the transactions of its block. `next`: before the next block that is opened.
 * `now`: before all later requests.
 */
export type ChangeKind = "transaction" | "block" | "write" | "next" | "now";

/** Request that succeeded. */
export interface RecordedRequest {
  readonly method: string;
  /** JSON text. */
  readonly params: string;
  readonly kind: ChangeKind;
  /** Only for `transaction`. */
  readonly hash?: Felt;
  /** Block that it created or wrote to; for other kinds the next one to be opened. */
  readonly block: number;
}

/** Recorded request with its sequence number. */
export interface NumberedRequest extends RecordedRequest {
  readonly number: number;
}

/** Limits of the recording. */
export interface RecorderLimits {
  readonly maxRequests: number;
  /** Maximum characters of their parameters; a declaration of a large class has several million. */
  readonly maxLength: number;
}

/** Default limits of a node. */
export const RECORDER_LIMITS: RecorderLimits = { maxRequests: 200_000, maxLength: 128 << 20 };

/**
 * Requests that have changed a chain since its genesis, in the order of their responses. Above a limit the
 * recording is discarded, and dumping fails until the chain is restarted.
 */
export class RequestRecorder {
  readonly #maxRequests: number;
  readonly #maxLength: number;
  #requests: NumberedRequest[] = [];
  #length = 0;
  #count = 0;
  #lacking: string | null;

  /**
   * @param chain - genesis block and newest block of the chain; the requests behind blocks created before this
   *   recorder are unknown
   */
  constructor(
    { genesis, newest }: { readonly genesis: number; readonly newest: number },
    { maxRequests, maxLength }: RecorderLimits,
  ) {
    this.#maxRequests = maxRequests;
    this.#maxLength = maxLength;
    this.#lacking =
      newest > genesis
        ? `blocks ${genesis + 1} to ${newest} were created in an earlier run of the node: a dump needs all requests since the genesis, so restart the chain (devnet_restart or --reset)`
        : null;
  }

  add(request: RecordedRequest): void {
    if (this.#lacking !== null) return;
    this.#length += request.params.length;
    if (this.#requests.length >= this.#maxRequests || this.#length > this.#maxLength) {
      this.#lacking = `too many requests for a dump (limits: ${this.#maxRequests} requests, ${this.#maxLength} characters): restart the chain (devnet_restart)`;
      this.#requests = [];
      return;
    }
    this.#requests.push({ ...request, number: this.#count++ });
  }

  /** Discards the requests that created blocks above `newestBlock`: those blocks were reverted. */
  abort(newestBlock: number): void {
    const next = newestBlock + 1;
    this.#requests = this.#requests.flatMap((request) => {
      if (request.block <= newestBlock) return [request];
      const isGone = request.kind === "block" || request.kind === "write";
      return isGone ? [] : [{ ...request, block: next }];
    });
  }

  /** Discards the recording: the chain is restarted. */
  clear(): void {
    this.#requests = [];
    this.#length = 0;
    this.#lacking = null;
  }

  /** Reason why requests are missing; `null` if the recording is complete. */
  get lacking(): string | null {
    return this.#lacking;
  }

  requests(): readonly NumberedRequest[] {
    return this.#requests;
  }
}
