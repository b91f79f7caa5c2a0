import type { Felt } from "#base/primitives/index.ts";

/**
 * How a request is put into a dump: `transaction`: where the chain has its transaction; `block`: where
 * the block is that it made; `write`: behind the transactions of its block; `next`: before the block
 * that is opened after it; `now`: before everything that was asked for later.
 */
export type ChangeKind = "transaction" | "block" | "write" | "next" | "now";

/** A request that was answered with success. */
export interface RecordedRequest {
  readonly method: string;
  /** JSON text. */
  readonly params: string;
  readonly kind: ChangeKind;
  /** Of `transaction`. */
  readonly hash?: Felt;
  /** The block that it made or wrote into; of others the one that is opened after it. */
  readonly block: number;
}

/** A recorded request with its place in their order. */
export interface NumberedRequest extends RecordedRequest {
  readonly number: number;
}

/** How much is recorded. */
export interface RecorderLimits {
  /** Most requests. */
  readonly maxRequests: number;
  /** Most characters of their parameters; a declaration of a large class has some million. */
  readonly maxLength: number;
}

/** What a node records. */
export const RECORDER_LIMITS: RecorderLimits = { maxRequests: 200_000, maxLength: 128 << 20 };

/**
 * The requests that have changed a chain since its genesis, in the order of their answers. Once they
 * are too many nothing is kept, and a dump is an error, until the chain begins anew.
 */
export class RequestRecorder {
  readonly #maxRequests: number;
  readonly #maxLength: number;
  #requests: NumberedRequest[] = [];
  #length = 0;
  #count = 0;
  #lacking: string | null;

  /** @param newestBlock - of the chain; what made the blocks before this recorder is not known */
  constructor(newestBlock: number, { maxRequests, maxLength }: RecorderLimits) {
    this.#maxRequests = maxRequests;
    this.#maxLength = maxLength;
    this.#lacking =
      newestBlock > 0
        ? `blocks 1 to ${newestBlock} were made in an earlier run of the node: dumps have what was asked for since the genesis, so restart the chain (devnet_restart or --reset)`
        : null;
  }

  /** Adds a request. */
  add(request: RecordedRequest): void {
    if (this.#lacking !== null) return;
    this.#length += request.params.length;
    if (this.#requests.length >= this.#maxRequests || this.#length > this.#maxLength) {
      this.#lacking = `more was sent than a dump may have (${this.#maxRequests} requests, ${this.#maxLength} characters): restart the chain (devnet_restart)`;
      this.#requests = [];
      return;
    }
    this.#requests.push({ ...request, number: this.#count++ });
  }

  /** Blocks above `newestBlock` were reverted: what had made them is forgotten. */
  abort(newestBlock: number): void {
    const next = newestBlock + 1;
    this.#requests = this.#requests.flatMap((request) => {
      if (request.block <= newestBlock) return [request];
      const isGone = request.kind === "block" || request.kind === "write";
      return isGone ? [] : [{ ...request, block: next }];
    });
  }

  /** The chain begins anew. */
  clear(): void {
    this.#requests = [];
    this.#length = 0;
    this.#lacking = null;
  }

  /** Why some requests are not known; `null`: all are. */
  get lacking(): string | null {
    return this.#lacking;
  }

  /** The requests in order. */
  requests(): readonly NumberedRequest[] {
    return this.#requests;
  }
}
