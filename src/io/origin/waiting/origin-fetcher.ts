import type { OriginError } from "#base/errors/index.ts";
import type { FetchedValue, KnownValues } from "../known-values.ts";
import type { OriginQuery } from "../query.ts";
import { decodeFailure } from "./failure.ts";
import type { OriginReply, OriginRequest } from "./messages.ts";

/** Fetches values of the origin for a thread that does not wait for them. */
export class OriginFetcher {
  readonly #post: (request: OriginRequest) => void;
  readonly #known: Pick<KnownValues, "give">;
  readonly #pending = new Map<number, PromiseWithResolvers<OriginError | undefined>>();
  #id = 0;

  /** @param known - receives the values before the fetch resolves */
  constructor(post: (request: OriginRequest) => void, known: Pick<KnownValues, "give">) {
    this.#post = post;
    this.#known = known;
  }

  /**
   * Fetches values; never rejects.
   *
   * @returns the failure of the first value that is not known afterwards; `undefined` if all are
   */
  fetch(queries: readonly OriginQuery[]): Promise<OriginError | undefined> {
    const id = ++this.#id;
    const pending = Promise.withResolvers<OriginError | undefined>();
    this.#pending.set(id, pending);
    this.#post({ kind: "fetch", id, queries });
    return pending.promise;
  }

  /** Handles the reply to a fetch. */
  receive({ id, values, failure }: OriginReply): void {
    this.#known.give(values as readonly FetchedValue[]);
    this.#pending.get(id)?.resolve(failure === null ? undefined : decodeFailure(failure));
    this.#pending.delete(id);
  }
}
