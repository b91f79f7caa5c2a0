import { type Timer, SYSTEM_TIMER } from "#base/primitives/index.ts";
import { exchangeBy, type HttpAnswer, isUnsent } from "#io/http/index.ts";
import { deadlineOf } from "./deadline.ts";
import { brokenAnswer, redirected, type S3Answer, tooLarge } from "./failures.ts";
import type { ObjectStoreKeys } from "./keys.ts";
import { Signer, type Unsigned } from "./signing.ts";
import type { ObjectStoreOptions } from "./types.ts";
import { stopped } from "./until-aborted.ts";

/** Request to a bucket. */
export interface S3Request extends Unsigned {
  /** `undefined` for no body. */
  readonly body: Uint8Array | undefined;
  readonly maxAnswerBytes: number;
  /** Description of the request; starts every error message. */
  readonly label: string;
}

/** Sends requests to a bucket, without retries and within limits of time and size. */
export class S3Requests {
  readonly #options: ObjectStoreOptions;
  readonly #keys: ObjectStoreKeys;
  readonly #signal: AbortSignal;
  readonly #timer: Timer = SYSTEM_TIMER;
  /** Idle signers; each signs one request at a time. */
  readonly #idle: Signer[] = [];

  constructor(options: ObjectStoreOptions, keys: ObjectStoreKeys, signal: AbortSignal) {
    this.#options = options;
    this.#keys = keys;
    this.#signal = signal;
  }

  /**
   * Sends a request once.
   *
   * @throws {ObjectStoreError} when there is no response, or it is a redirect, or too large
   */
  async ask(request: S3Request): Promise<S3Answer> {
    const { label, maxAnswerBytes } = request;
    const answer = await this.#send(request);
    switch (answer.kind) {
      case "answered":
        return answer;
      case "elsewhere":
        throw redirected(label, answer.status);
      case "tooLong":
        throw tooLarge(label, maxAnswerBytes);
      case "garbled":
        throw brokenAnswer(label, "the response is not in its declared encoding");
    }
  }

  async #send(request: S3Request): Promise<HttpAnswer> {
    const { label, method, body, maxAnswerBytes } = request;
    if (this.#signal.aborted) throw stopped();
    const signer = this.#idle.pop() ?? new Signer(this.#options, this.#keys);
    const { url, headers } = await signer.sign(request);
    this.#idle.push(signer);
    const deadline = deadlineOf(this.#timer, body?.byteLength ?? 0, this.#signal);
    try {
      return await exchangeBy(method, {
        endpoint: { url, headers: {} },
        path: "",
        headers: { ...headers, "accept-encoding": "identity" },
        body: body as Uint8Array<ArrayBuffer> | undefined,
        maxAnswerBytes,
        signal: deadline.signal,
        onProgress: deadline.onProgress,
      });
    } catch (cause) {
      if (this.#signal.aborted) throw stopped();
      if (deadline.isOver()) throw brokenAnswer(label, "no response in time", cause);
      throw brokenAnswer(
        label,
        isUnsent(cause) ? "cannot be reached" : "the connection broke",
        cause,
      );
    } finally {
      deadline.end();
    }
  }
}
