import type { Decoder, JsonValue, Schema } from "#base/codec/index.ts";
import { AppError, DecodeError } from "#base/errors/index.ts";
import type { RpcContext } from "./context.ts";
import { type Fail, fail, type RpcErrorName } from "./errors.ts";
import { shorten, showValue, valueAt } from "./offending-value.ts";
import { checkStopped } from "./stopped.ts";
import type { SpecVersion } from "./spec/version.ts";

/** Which thread a method runs on: see {@link RpcContext}. */
export type RunsOn = "main" | "query" | "admission";

/** The families of the interface. */
export type MethodFamily = "read" | "trace" | "write" | "subscription";

/**
 * One parameter. `elidable` is required by the specification, but may be left out here: by name, or
 * by position when exactly the other required ones are given. A version that does not have it gives
 * no codec: then it is unknown on the wire, and the handler sees the fallback.
 */
export interface Param<T> {
  readonly codec: Decoder<T> | undefined;
  readonly need: "required" | "optional" | "elidable";
  /** Stands for a parameter that was left out. */
  readonly fallback?: T;
}

/** A parameter that every call gives. */
export function required<T>(codec: Decoder<T>): Param<T> {
  return { codec, need: "required" };
}

/** A trailing parameter that may be left out, in the versions that have it. */
export function optional<T>(codec: Decoder<T> | undefined, fallback: T): Param<T> {
  return { codec, need: "optional", fallback };
}

/** See {@link Param}. */
export function elidable<T>(codec: Decoder<T>, fallback: T): Param<T> {
  return { codec, need: "elidable", fallback };
}

/** Parameters by wire name, in the order of the positional form. */
export type Params = Readonly<Record<string, Param<unknown>>>;

/** Decoded parameters. */
export type ValuesOf<P extends Params> = {
  readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never;
};

/** Declaration of a method: everything about it stands here. */
export interface MethodDeclaration<N extends string, P extends Params, R, E extends RpcErrorName> {
  /** Wire name without prefix. */
  readonly name: N;
  readonly family: MethodFamily;
  readonly runsOn: RunsOn;
  /** One sentence for documents and help. */
  readonly summary: string;
  readonly params: (spec: SpecVersion) => P;
  /** Encoder of the handler's answer. */
  readonly result: (spec: SpecVersion) => (answer: R) => JsonValue;
  /** What {@link result} writes, for documents; absent: nothing is said. */
  readonly answer?: (spec: SpecVersion) => Schema;
  /** The only errors that `fail` takes. */
  readonly errors: readonly E[];
  /**
   * Runs on the main thread before `handler` runs on its own: for what only the main thread knows. It
   * ends the request with an error, or lets it pass.
   */
  readonly preflight?: (
    context: RpcContext,
    params: ValuesOf<P>,
    fail: Fail<E>,
  ) => void | Promise<void>;
  /**
   * Runs on the main thread before everything else: names all that the answer to these parameters
   * depends on, where none of that ever changes. Equal texts have equal answers, in one version of the
   * specification; what it resolves (`latest`) only ever moves forward.
   *
   * @returns `undefined` when the answer may change, or there is none
   */
  readonly cacheKey?: (context: RpcContext, params: ValuesOf<P>) => string | undefined;
  readonly handler: (
    context: RpcContext,
    params: ValuesOf<P>,
    fail: Fail<E>,
  ) => NoInfer<R> | Promise<NoInfer<R>>;
}

/** A declared method without the types of its parameters and answer. */
export interface Method<N extends string = string, E extends RpcErrorName = RpcErrorName> {
  readonly name: N;
  readonly family: MethodFamily;
  readonly runsOn: RunsOn;
  readonly summary: string;
  readonly errors: readonly E[];
  /** The method in one version of the specification. */
  bind(spec: SpecVersion): BoundMethod;
}

/** A parameter as documents show it. */
export interface ParamInfo {
  readonly name: string;
  readonly need: Param<unknown>["need"];
  readonly describe: string;
  /** Its JSON form; absent: nothing is said. */
  readonly schema: Schema | undefined;
}

/** A method in one version of the specification. */
export interface BoundMethod {
  readonly name: string;
  readonly summary: string;
  readonly errors: readonly RpcErrorName[];
  readonly runsOn: RunsOn;
  readonly params: readonly ParamInfo[];
  /** What its result looks like; absent: nothing is said. */
  readonly answer: Schema | undefined;
  /**
   * What the main thread does before {@link invoke}, where there is something; ends as that does.
   *
   * @param params - array, object or nothing, as in the request
   * @throws {InvalidParamsError} when the parameters do not fit
   * @throws {RpcFault} when the method ends with one of its errors
   */
  readonly preflight?: (context: RpcContext, params: JsonValue | undefined) => void | Promise<void>;
  /**
   * Names the answer, where that never changes; see {@link MethodDeclaration.cacheKey}.
   *
   * @param params - array, object or nothing, as in the request
   * @throws {InvalidParamsError} when the parameters do not fit
   */
  readonly cacheKey?: (context: RpcContext, params: JsonValue | undefined) => string | undefined;
  /**
   * Decodes, runs and encodes.
   *
   * @param params - array, object or nothing, as in the request
   * @throws {InvalidParamsError} when the parameters do not fit
   * @throws {RpcFault} when the method ends with one of its errors
   */
  invoke(context: RpcContext, params: JsonValue | undefined): JsonValue | Promise<JsonValue>;
}

/** The parameters of a request do not fit its method (-32602). */
export class InvalidParamsError extends AppError {
  readonly path: string;
  readonly expected: string;

  constructor(path: string, expected: string, got: string) {
    super("RPC_INVALID_PARAMS", `${path}: expected ${expected}`, { meta: { got } });
    this.path = path;
    this.expected = expected;
  }
}

/** Declares a method. */
export function method<
  const N extends string,
  P extends Params,
  R,
  const E extends RpcErrorName = never,
>(declaration: MethodDeclaration<N, P, R, E>): Method<N, E> {
  const { name, family, runsOn, summary, errors, handler, preflight, cacheKey } = declaration;
  return {
    name,
    family,
    runsOn,
    summary,
    errors,
    bind(spec) {
      const declared = declaration.params(spec);
      const entries: Entry[] = [];
      const fallbacks: Record<string, unknown> = {};
      for (const [paramName, { codec, need, fallback }] of Object.entries(declared)) {
        if (codec === undefined) fallbacks[paramName] = fallback;
        else entries.push([paramName, { codec, need, fallback }]);
      }
      const encode = declaration.result(spec);
      const methodFail = fail as Fail<E>;
      const valuesOf = (params: JsonValue | undefined): ValuesOf<P> =>
        Object.assign(decodeParams(entries, params), fallbacks) as ValuesOf<P>;
      return {
        name,
        summary,
        errors,
        runsOn,
        params: entries.map(([paramName, { need, codec }]) => ({
          name: paramName,
          need,
          describe: codec.describe,
          schema: codec.schema,
        })),
        answer: declaration.answer?.(spec),
        ...(preflight === undefined
          ? {}
          : {
              preflight: (context: RpcContext, params: JsonValue | undefined) =>
                preflight(context, valuesOf(params), methodFail),
            }),
        ...(cacheKey === undefined
          ? {}
          : {
              cacheKey: (context: RpcContext, params: JsonValue | undefined) =>
                cacheKey(context, valuesOf(params)),
            }),
        invoke(context, params) {
          const values = valuesOf(params);
          checkStopped(context);
          const answer = handler(context, values, methodFail);
          if (answer instanceof Promise) return answer.then(encode);
          checkStopped(context);
          return encode(answer);
        },
      };
    },
  };
}

type Entry = readonly [name: string, param: ServedParam];

/** A parameter that the version has. */
interface ServedParam extends Param<unknown> {
  readonly codec: Decoder<unknown>;
}

function decodeParams(
  entries: readonly Entry[],
  params: JsonValue | undefined,
): Record<string, unknown> {
  if (params === undefined || params === null) return bindNamed(entries, {});
  if (Array.isArray(params)) return bindPositional(entries, params as readonly JsonValue[]);
  return bindNamed(entries, params as Readonly<Record<string, JsonValue | undefined>>);
}

function bindNamed(
  entries: readonly Entry[],
  params: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, param] of entries) {
    values[name] = decodeOne(name, param, Object.hasOwn(params, name) ? params[name] : undefined);
  }
  for (const name of Object.keys(params)) {
    if (!Object.hasOwn(values, name)) {
      const known = entries.map(([known]) => known).join(", ");
      throw new InvalidParamsError(
        shorten(name),
        known === "" ? "no parameters" : `no such parameter (known: ${known})`,
        showValue(params[name]),
      );
    }
  }
  return values;
}

function bindPositional(
  entries: readonly Entry[],
  params: readonly unknown[],
): Record<string, unknown> {
  if (params.length > entries.length) {
    throw new InvalidParamsError(
      `[${entries.length}]`,
      `at most ${entries.length} parameters (${entries.map(([name]) => name).join(", ")})`,
      showValue(params[entries.length]),
    );
  }
  const requiredCount = entries.filter(([, param]) => param.need === "required").length;
  const elide = params.length === requiredCount;
  const values: Record<string, unknown> = {};
  let next = 0;
  for (const [name, param] of entries) {
    const skip = elide && param.need === "elidable";
    values[name] = decodeOne(name, param, skip ? undefined : params[next++]);
  }
  return values;
}

function decodeOne(name: string, param: ServedParam, value: unknown): unknown {
  if (param.need !== "required" && (value === undefined || value === null)) return param.fallback;
  if (value === undefined) {
    throw new InvalidParamsError(name, `${param.codec.describe} (it is missing)`, "nothing");
  }
  try {
    return param.codec.decode(value, name);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { path, expected } = error;
    // The path of a codec begins with the name of the parameter.
    const offending = valueAt(value, path.slice(name.length));
    throw new InvalidParamsError(shorten(path), expected, showValue(offending));
  }
}
