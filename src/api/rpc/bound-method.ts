import type { JsonPieces, JsonValue, Schema } from "#base/codec/index.ts";
import type { QueryContext } from "./context.ts";
import type { RpcErrorName } from "./errors.ts";
import type { JsonText } from "./json-text.ts";
import type { SubmitClient } from "./transaction-submitter.ts";

/**
 * Where a method runs. `admission` is for what submits: the main thread decodes it and waits for the
 * admission thread.
 */
export type RunsOn = "main" | "query" | "admission";

/** A parameter as documents show it. */
export interface ParamInfo {
  readonly name: string;
  readonly need: "required" | "optional" | "elidable";
  readonly describe: string;
  /** Its JSON form; absent: nothing is said. */
  readonly schema: Schema | undefined;
}

/** What documents show of a method in one version of the specification. */
export interface MethodInfo {
  readonly name: string;
  readonly summary: string;
  readonly errors: readonly RpcErrorName[];
  readonly params: readonly ParamInfo[];
  /** What its result looks like; absent: nothing is said. */
  readonly answer: Schema | undefined;
}

/**
 * Decodes, runs and encodes.
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
 * Names the answer, where that never changes; see `MethodDeclaration`. `null`: answers may change.
 *
 * @throws {InvalidParamsError} when the parameters do not fit
 */
export type CacheKey<C> = (context: C, params: JsonValue | undefined) => string | undefined;

/** A method that runs on the thread that requests arrive at. */
export interface LocalMethod<C> extends MethodInfo {
  readonly runsOn: "main" | "admission";
  readonly cacheKey: CacheKey<C> | null;
  readonly invoke: Invoke<C>;
}

/** What a method on a query thread gives; pieces where it may be too long for one text. */
export type QueryResult = JsonValue | JsonText | JsonPieces;

/** A method that runs on a query thread, and what is done for it where requests arrive. */
export interface QueryMethod<C> extends MethodInfo {
  readonly runsOn: "query";
  /** What is done before {@link invoke}; ends as that does. `null`: nothing. */
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
