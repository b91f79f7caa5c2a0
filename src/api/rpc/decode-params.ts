import type { Decoder, JsonValue } from "#base/codec/index.ts";
import { AppError, DecodeError } from "#base/errors/index.ts";
import type { ParamInfo } from "./bound-method.ts";
import { shorten, showValue, valueAt } from "./offending-value.ts";

/** Error for parameters that do not fit the method (-32602). */
export class InvalidParamsError extends AppError {
  readonly path: string;
  readonly expected: string;

  constructor(path: string, expected: string, got: string) {
    super("RPC_INVALID_PARAMS", `${path}: expected ${expected}`, { meta: { got } });
    this.path = path;
    this.expected = expected;
  }
}

/** Parameter of a method in one version. */
interface ServedParam {
  readonly codec: Decoder<unknown>;
  readonly need: ParamInfo["need"];
  readonly fallback: unknown;
}

/** Parameter by its wire name. */
export type ParamEntry = readonly [name: string, param: ServedParam];

/**
 * Decodes the parameters of a request, keyed by their wire names.
 *
 * @param entries - in the order of the positional form
 * @throws {InvalidParamsError} when the parameters do not fit
 */
export function decodeParams(
  entries: readonly ParamEntry[],
  params: JsonValue | undefined,
): Record<string, unknown> {
  if (params === undefined || params === null) return bindNamed(entries, {});
  if (Array.isArray(params)) return bindPositional(entries, params as readonly JsonValue[]);
  return bindNamed(entries, params as Readonly<Record<string, JsonValue | undefined>>);
}

function bindNamed(
  entries: readonly ParamEntry[],
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
  entries: readonly ParamEntry[],
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
    // The first part of a codec's path is the parameter's name.
    const offending = valueAt(value, path.slice(name.length));
    throw new InvalidParamsError(shorten(path), expected, showValue(offending));
  }
}
