import type { Decoder, JsonPieces, JsonValue, Schema } from "#base/codec/index.ts";
import type {
  BoundMethod,
  LocalMethod,
  MethodInfo,
  ParamInfo,
  QueryMethod,
  RunsOn,
} from "./bound-method.ts";
import type { AdmissionContext, MainContext, QueryContext } from "./context.ts";
import { decodeParams, type ParamEntry } from "./decode-params.ts";
import { type Fail, fail, type RpcErrorName } from "./errors.ts";
import { checkStopped } from "./stopped.ts";
import type { SpecVersion } from "./spec/version.ts";
import { type SubmitClient, THIS_NODE } from "./transaction-submitter.ts";

/** Context of a handler by its thread; `M` is the main thread's context for methods of this kind. */
export interface Contexts<M extends MainContext> {
  readonly main: M;
  readonly query: QueryContext;
  readonly admission: AdmissionContext;
}

/** Context that the thread where requests arrive must provide for a method. */
type ContextOnArrival<M extends MainContext, W extends RunsOn> = W extends "admission"
  ? AdmissionContext
  : M;

/** Method families of the specification. */
export type MethodFamily = "read" | "trace" | "write" | "subscription";

/**
 * One parameter. `elidable` is required by the specification but optional here: by name, or by position if
 * exactly the other required ones are present. If a version lacks the parameter, its codec is `undefined`: it
 * is then unknown on the wire, and the handler gets the fallback.
 */
export interface Param<T> {
  readonly codec: Decoder<T> | undefined;
  readonly need: ParamInfo["need"];
  /** Value of an omitted parameter. */
  readonly fallback: T | undefined;
}

/** Declares a parameter that every call must contain. */
export function required<T>(codec: Decoder<T>): Param<T> {
  return { codec, need: "required", fallback: undefined };
}

/** Declares a trailing parameter that may be omitted, in the versions that have it. */
export function optional<T>(codec: Decoder<T> | undefined, fallback: T): Param<T> {
  return { codec, need: "optional", fallback };
}

/** Declares an elidable parameter: see {@link Param}. */
export function elidable<T>(codec: Decoder<T>, fallback: T): Param<T> {
  return { codec, need: "elidable", fallback };
}

/** Parameters by wire name, in the order of the positional form. */
export type Params = Readonly<Record<string, Param<unknown>>>;

/** Decoded parameters. */
export type ValuesOf<P extends Params> = {
  readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never;
};

/** Complete declaration of a method. */
export interface MethodDeclaration<
  M extends MainContext,
  W extends RunsOn,
  N extends string,
  P extends Params,
  R,
  E extends RpcErrorName,
> {
  /** Wire name without prefix. */
  readonly name: N;
  readonly family: MethodFamily;
  readonly runsOn: W;
  /** One sentence for documents and help. */
  readonly summary: string;
  readonly params: (spec: SpecVersion) => P;
  /** Returns the encoder of the handler's result. */
  readonly result: (spec: SpecVersion) => (answer: R) => JsonValue | QueryOnly<W, JsonPieces>;
  /** Schema of the JSON that {@link result} writes, for documents; absent if it is not described. */
  readonly answer?: (spec: SpecVersion) => Schema;
  /** The only errors that `fail` accepts. */
  readonly errors: readonly E[];
  /**
   * Step of a query-thread method that runs on the main thread before `handler`, for checks that need the
   * main thread's knowledge. It throws an error or lets the request pass.
   */
  readonly preflight?: (
    context: M,
    params: ValuesOf<P>,
    fail: Fail<E>,
  ) => QueryOnly<W, void | Promise<void>>;
  /**
   * Cache key of a read method, computed on the main thread before everything else. The key covers everything
   * that the response depends on, none of which may ever change. Equal keys mean equal responses in one
   * version of the specification. Whatever the key resolves (`latest`) only moves forward.
   *
   * @returns `undefined` if the response may change, or nothing is found
   */
  readonly cacheKey?: (
    context: M,
    params: ValuesOf<P>,
  ) => W extends "admission" ? never : string | undefined;
  /** `client`: client that sent the request; {@link THIS_NODE} on query threads. */
  readonly handler: (
    context: Contexts<M>[W],
    params: ValuesOf<P>,
    fail: Fail<E>,
    client: SubmitClient,
  ) => NoInfer<R> | Promise<NoInfer<R>>;
}

/** `T` on query threads; `never` elsewhere. */
type QueryOnly<W extends RunsOn, T> = W extends "query" ? T : never;

/**
 * Declared method without the types of its parameters and result.
 *
 * @typeParam C - context that the thread where requests arrive must provide; `never` if unknown, and the
 *   method can only be described, not called
 */
export interface Method<
  C = never,
  N extends string = string,
  E extends RpcErrorName = RpcErrorName,
  W extends RunsOn = RunsOn,
> {
  readonly name: N;
  readonly family: MethodFamily;
  readonly runsOn: W;
  readonly summary: string;
  readonly errors: readonly E[];
  /** Binds the method to one version of the specification. */
  bind(spec: SpecVersion): BoundMethod<C, W>;
}

/** Function that declares methods whose handlers get an `M` on the main thread. */
export type DeclareMethod<M extends MainContext> = <
  const W extends RunsOn,
  const N extends string,
  P extends Params,
  R,
  const E extends RpcErrorName = never,
>(
  declaration: MethodDeclaration<M, W, N, P, R, E>,
) => Method<ContextOnArrival<M, W>, N, E, W>;

/** Creates the declaring function for methods of one kind. */
export function methodsWith<M extends MainContext>(): DeclareMethod<M> {
  return (declaration) => {
    const { name, family, runsOn, summary, errors } = declaration;
    return { name, family, runsOn, summary, errors, bind: (spec) => bind(declaration, spec) };
  };
}

/** Declares a method that every server has. */
export const method: DeclareMethod<MainContext> = methodsWith<MainContext>();

/** Parts of a method bound to a version, independent of its thread. */
interface Bound<P extends Params, R, J> {
  readonly info: MethodInfo;
  readonly valuesOf: (params: JsonValue | undefined) => ValuesOf<P>;
  readonly encode: (answer: R) => J;
}

function bind<
  M extends MainContext,
  W extends RunsOn,
  N extends string,
  P extends Params,
  R,
  E extends RpcErrorName,
>(
  declaration: MethodDeclaration<M, W, N, P, R, E>,
  spec: SpecVersion,
): BoundMethod<ContextOnArrival<M, W>, W> {
  const { name, runsOn, summary, errors } = declaration;
  const entries: ParamEntry[] = [];
  const fallbacks: Record<string, unknown> = {};
  for (const [paramName, { codec, need, fallback }] of Object.entries(declaration.params(spec))) {
    if (codec === undefined) fallbacks[paramName] = fallback;
    else entries.push([paramName, { codec, need, fallback }]);
  }
  const bound: Bound<P, R, JsonValue | QueryOnly<W, JsonPieces>> = {
    info: {
      name,
      summary,
      errors,
      params: entries.map(([paramName, { need, codec }]) => ({
        name: paramName,
        need,
        describe: codec.describe,
        schema: codec.schema,
      })),
      answer: declaration.answer?.(spec),
    },
    valuesOf: (params) => Object.assign(decodeParams(entries, params), fallbacks) as ValuesOf<P>,
    encode: declaration.result(spec),
  };
  // The type checker cannot derive the dependent types from the value of `runsOn`.
  const binding: unknown =
    runsOn === "query"
      ? bindQuery(
          declaration as unknown as MethodDeclaration<M, "query", N, P, R, E>,
          bound as Bound<P, R, JsonValue | JsonPieces>,
        )
      : bindLocal(declaration, runsOn, bound as Bound<P, R, JsonValue>);
  return binding as BoundMethod<ContextOnArrival<M, W>, W>;
}

function bindLocal<
  M extends MainContext,
  W extends RunsOn,
  P extends Params,
  R,
  E extends RpcErrorName,
>(
  { handler, cacheKey }: MethodDeclaration<M, W, string, P, R, E>,
  runsOn: LocalMethod<never>["runsOn"],
  { info, valuesOf, encode }: Bound<P, R, JsonValue>,
): LocalMethod<Contexts<M>[W] & M> {
  return {
    ...info,
    runsOn,
    cacheKey:
      cacheKey === undefined ? null : (context, params) => cacheKey(context, valuesOf(params)),
    invoke(context, params, client) {
      const answer = handler(context, valuesOf(params), fail as Fail<E>, client);
      return answer instanceof Promise ? answer.then(encode) : encode(answer);
    },
  };
}

function bindQuery<M extends MainContext, P extends Params, R, E extends RpcErrorName>(
  { handler, preflight, cacheKey }: MethodDeclaration<M, "query", string, P, R, E>,
  { info, valuesOf, encode }: Bound<P, R, JsonValue | JsonPieces>,
): QueryMethod<M> {
  const methodFail = fail as Fail<E>;
  return {
    ...info,
    runsOn: "query",
    preflight:
      preflight === undefined
        ? null
        : (context, params) => preflight(context, valuesOf(params), methodFail),
    cacheKey:
      cacheKey === undefined ? null : (context, params) => cacheKey(context, valuesOf(params)),
    invoke(context, params) {
      const values = valuesOf(params);
      checkStopped(context);
      const answer = handler(context, values, methodFail, THIS_NODE);
      if (answer instanceof Promise) return answer.then(encode);
      checkStopped(context);
      return encode(answer);
    },
  };
}
