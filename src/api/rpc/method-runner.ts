import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { OriginMissing } from "#io/origin/index.ts";
import type { LocalMethod, QueryMethod } from "./bound-method.ts";
import type { AnswerStream } from "./answer-stream.ts";
import type { MainContext, QueryPool } from "./context.ts";
import { repeatBeforeEffects, repeatWhileMissing } from "./fork/repeat.ts";
import type { Caller } from "./limits/caller.ts";
import { isResult, jsonOf, type Outcome } from "./outcome.ts";
import type { ResponseCache } from "./response-cache.ts";
import type { MethodTable } from "./table.ts";
import type { SubmitClient } from "./transaction-submitter.ts";

/** Dependencies for running methods. */
export interface RunnerOptions<C extends MainContext> {
  /** Context of methods that do not run on query threads. */
  readonly context: C;
  readonly queryPool: QueryPool;
  /** Caches responses that never change. */
  readonly cache: ResponseCache;
}

/** Result of a run on a query thread. */
export interface QueryOutcome {
  readonly outcome: Outcome;
  /** Rest of a long response; `undefined` if `outcome` is complete. */
  readonly rest: AnswerStream | undefined;
}

/** Runs methods on their thread, unless their response is cached. */
export class MethodRunner<C extends MainContext> {
  readonly #context: C;
  readonly #queryPool: QueryPool;
  readonly #cache: ResponseCache;

  constructor({ context, queryPool, cache }: RunnerOptions<C>) {
    this.#context = context;
    this.#queryPool = queryPool;
    this.#cache = cache;
  }

  /**
   * Runs a method on this thread.
   *
   * @param client - client that sent the request
   * @returns the JSON of the result
   * @throws the errors of the method
   */
  local(
    table: MethodTable<C>,
    bound: LocalMethod<C>,
    params: JsonValue | undefined,
    client: SubmitClient,
  ): string | Promise<string> {
    const { fork } = this.#context;
    const work = (): string | Promise<string> => this.#local(table, bound, params, client);
    // Only reads may run again: a submission or a developer's order may have had effects.
    const isRead = bound.runsOn === "main" && !table.developer.has(bound.name);
    return isRead
      ? repeatWhileMissing(fork, client, work)
      : repeatBeforeEffects(fork, client, work);
  }

  #local(
    { spec }: MethodTable<C>,
    bound: LocalMethod<C>,
    params: JsonValue | undefined,
    client: SubmitClient,
  ): string | Promise<string> {
    const name = this.#cacheName(bound, params);
    const cache = this.#cache;
    const key = name === undefined ? undefined : `${spec.version} ${bound.name} ${name}`;
    const known = key === undefined ? undefined : cache.get(key);
    if (typeof known === "string") return known;
    const ticket = key === undefined ? undefined : cache.ticket(key);
    const result = bound.invoke(this.#context, params, client);
    const read = (answer: Awaited<typeof result>): string => {
      const json = jsonOf(answer);
      if (ticket !== undefined) cache.put(ticket, json);
      return json;
    };
    return result instanceof Promise ? result.then(read) : read(result);
  }

  /**
   * Runs a method on a query thread.
   *
   * @param mayStream - whether the caller accepts the rest of a long response
   */
  async query(
    table: MethodTable<C>,
    bound: QueryMethod<C>,
    params: JsonValue | undefined,
    caller: Caller,
    mayStream: boolean,
  ): Promise<QueryOutcome> {
    const name = this.#cacheName(bound, params);
    if (name === undefined) return this.#run(table, bound, params, caller, mayStream);
    const key = `${table.spec.version} ${bound.name} ${name}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return { outcome: known, rest: undefined };
    const ticket = this.#cache.ticket(key);
    const run = await this.#run(table, bound, params, caller, mayStream);
    const { outcome, rest } = run;
    // The query thread may have a newer view of the chain: then the response belongs to another key.
    const isNamed = isResult(outcome) && this.#cacheName(bound, params) === name;
    if (isNamed && rest === undefined) this.#cache.put(ticket, outcome);
    return run;
  }

  /** Returns the cache key of a response; `undefined` also if it needs unknown values of a fork's origin. */
  #cacheName(
    { cacheKey }: LocalMethod<C> | QueryMethod<C>,
    params: JsonValue | undefined,
  ): string | undefined {
    try {
      return cacheKey?.(this.#context, params);
    } catch (thrown) {
      if (thrown instanceof OriginMissing) return undefined;
      throw thrown;
    }
  }

  async #run(
    table: MethodTable<C>,
    bound: QueryMethod<C>,
    params: JsonValue | undefined,
    caller: Caller,
    mayStream: boolean,
  ): Promise<QueryOutcome> {
    const { fork } = this.#context;
    await repeatWhileMissing(fork, caller, () => bound.preflight?.(this.#context, params));
    const paramsText = params === undefined ? "[]" : stringifyJson(params);
    let rest: AnswerStream | undefined;
    const takeRest = mayStream ? (stream: AnswerStream) => void (rest = stream) : undefined;
    const { version } = table.spec;
    const outcome = await this.#queryPool.run(version, bound.name, paramsText, caller, takeRest);
    return { outcome, rest };
  }
}
