import type { JsonPieces, JsonValue, Schema } from "#base/codec/index.ts";
import type { QueryContext } from "./context.ts";
import type { RpcErrorName } from "./errors.ts";
import type { JsonText } from "./json-text.ts";
import type { SubmitClient } from "./transaction-submitter.ts";

/**
 * Name of the thread on which a method runs. `admission` is for submissions: the main thread
 * decodes them and waits for the admission thread.
 */
export type RunsOn = "main" | "query" | "admission";

/** Parameter of a method as the OpenRPC document shows it. */
export interface ParamInfo {
  readonly name: string;
  readonly need: "required" | "optional" | "elidable";
  readonly describe: string;
  /** Schema of its JSON form; `undefined` omits it from the document. */
  readonly schema: Schema | undefined;
}

/** Description of a method in one version of the specification, for the OpenRPC document. */
export interface MethodInfo {
  readonly name: string;
  readonly summary: string;
  readonly errors: readonly RpcErrorName[];
  readonly params: readonly ParamInfo[];
  /** Schema of its result; `undefined` omits it from the document. */
  readonly answer: Schema | undefined;
}

/**
 * Decodes the parameters, runs the method and encodes its result.
 *
 * @param params - array, object or nothing, as in the request
 * @param client - client that sent the request; `THIS_NODE` for requests of the node itself
 * @throws {InvalidParamsError} when the parameters do not fit
 * @throws {RpcFault} when the method ends with one of its errors
 */
export type Invoke<C> = (
  context: C,
  params: JsonValue | undefined,
  client: SubmitClient,
) => JsonValue | Promise<JsonValue>;

/**
 * Returns the cache key of a response that never changes; see `MethodDeclaration`. `undefined` if the
 * response may change.
 *
 * @throws {InvalidParamsError} when the parameters do not fit
 */
export type CacheKey<C> = (context: C, params: JsonValue | undefined) => string | undefined;

/** Method that runs on the thread where requests arrive. */
export interface LocalMethod<C> extends MethodInfo {
  readonly runsOn: "main" | "admission";
  readonly cacheKey: CacheKey<C> | null;
  readonly invoke: Invoke<C>;
}

/** Result of a method on a query thread; in chunks if it may be too long for one string. */
export type QueryResult = JsonValue | JsonText | JsonPieces;

/** Method that runs on a query thread, and its steps on the thread where requests arrive. */
export interface QueryMethod<C> extends MethodInfo {
  readonly runsOn: "query";
  /** Runs before {@link invoke}, and fails in the same ways. `null` for no such step. */
  readonly preflight: ((context: C, params: JsonValue | undefined) => void | Promise<void>) | null;
  readonly cacheKey: CacheKey<C> | null;
  readonly invoke: (
    context: QueryContext,
    params: JsonValue | undefined,
  ) => QueryResult | Promise<QueryResult>;
}

/** A method in one version of the specification. */
export type BoundMethod<C = never, W extends RunsOn = RunsOn> = W extends "query"
  ? QueryMethod<C>
  : LocalMethod<C>;
