import { parseDurationMs } from "#protocol/config/index.ts";

/** One row of an option table: drives parsing, environment twin, help and documentation. */
export interface Option<T> {
  /** Name without dashes: `rpc-port`. */
  readonly flag: string;
  /** One letter that may stand for it after a single dash: `p` for `-p`. */
  readonly short?: string;
  /** What stands for the value in help (`PORT`); `undefined` for a switch. */
  readonly value: string | undefined;
  readonly summary: string;
  /** The default as help shows it; `undefined` when there is none. */
  readonly defaultText: string | undefined;
  /** Heading in help. */
  readonly group: string;
  /** What is expected, for messages. */
  readonly expected: string;
  /** Whether the option may stand several times; all texts are then given to `read` at once. */
  readonly repeatable: boolean;
  /** The value of the given texts (one, unless repeatable); `undefined` when they are wrong. */
  readonly read: (texts: readonly string[]) => T | undefined;
  /** The value when the option is not given. */
  readonly fallback: T;
}

/** A named table of options. */
export type OptionTable = Readonly<Record<string, Option<unknown>>>;

/** The values that parsing a table gives. */
export type OptionValues<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends Option<infer V> ? V : never;
};

/** The environment twin of an option: `rpc-port` is `APPCHAIN_RPC_PORT`. */
export function environmentName(flag: string): string {
  return `APPCHAIN_${flag.replaceAll("-", "_").toUpperCase()}`;
}

type Texts = Pick<Option<unknown>, "flag" | "short" | "summary" | "group"> & {
  readonly value?: string;
  readonly defaultText?: string;
};

/** An option with a value, read from text. */
export function valueOption<T, F extends string | number | bigint | null | undefined>(
  texts: Texts & { readonly value: string },
  expected: string,
  read: (text: string) => T | undefined,
  fallback: F,
): Option<T | F> {
  const defaultText =
    texts.defaultText ??
    (fallback === null || fallback === undefined ? undefined : String(fallback));
  return {
    ...texts,
    defaultText,
    expected,
    repeatable: false,
    read: ([text = ""]) => read(text),
    fallback,
  };
}

/** A switch: given or not. `--flag=false` and the twin's `false` turn it off. */
export function switchOption(texts: Texts): Option<boolean> {
  return {
    ...texts,
    value: undefined,
    defaultText: undefined,
    expected: "true or false",
    repeatable: false,
    read: ([text = "true"]) => readSwitch(text),
    fallback: false,
  };
}

/** An option that may be repeated; the values keep their order. */
export function listOption(texts: Texts & { readonly value: string }): Option<readonly string[]> {
  return {
    ...texts,
    defaultText: undefined,
    expected: texts.value,
    repeatable: true,
    read: (list) => (list.every((text) => text !== "") ? list : undefined),
    fallback: [],
  };
}

/** `true`/`false` and what shells and container tools write for them. */
function readSwitch(text: string): boolean | undefined {
  if (["true", "1", "yes", "on"].includes(text.toLowerCase())) return true;
  return ["false", "0", "no", "off", ""].includes(text.toLowerCase()) ? false : undefined;
}

/** The option that a word such as `--rpc-port`, `--rpc-port=1` or `-p` is, whatever its value. */
export function optionOf(
  word: string,
  options: Iterable<Option<unknown>>,
): Option<unknown> | undefined {
  const [name = ""] = word.split("=", 1);
  for (const option of options) {
    if (name === `--${option.flag}`) return option;
    if (option.short !== undefined && name === `-${option.short}`) return option;
  }
  return undefined;
}

/** Text that is not empty. */
export function readText(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** Text of at most 100 characters that a terminal shows and does not act on. */
export function readName(text: string): string | undefined {
  const isPrintable = !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text);
  return text !== "" && text.length <= 100 && isPrintable ? text : undefined;
}

/** Plain digits in `[min, max]`. */
export function readInteger(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : -1;
    return value >= min && value <= max ? value : undefined;
  };
}

/** A duration in `[minMs, maxMs]`, as milliseconds; its form is `DURATION_FORM`. */
export function readDuration(minMs: number, maxMs: number): (text: string) => number | undefined {
  return (text) => {
    const ms = parseDurationMs(text);
    return ms !== undefined && ms >= minMs && ms <= maxMs ? ms : undefined;
  };
}

/** Plain digits of any size up to `max`. */
export function readBigint(max: bigint): (text: string) => bigint | undefined {
  return (text) => {
    const value = /^\d{1,80}$/.test(text) ? BigInt(text) : -1n;
    return value >= 0n && value <= max ? value : undefined;
  };
}

/** As {@link readBigint}, without 0. */
export function readPositive(max: bigint): (text: string) => bigint | undefined {
  const read = readBigint(max);
  return (text) => read(text) || undefined;
}

/** One of the given words. */
export function readChoice<const W extends string>(
  words: readonly W[],
): (text: string) => W | undefined {
  return (text) => words.find((word) => word === text.toLowerCase());
}

/** An `http` or `https` address. */
export function readUrl(text: string): string | undefined {
  const protocol = URL.canParse(text) ? new URL(text).protocol : "";
  return protocol === "http:" || protocol === "https:" ? text : undefined;
}

/** An `http` or `https` address; one without a scheme is an `http` one. */
export function readAddress(text: string): string | undefined {
  if (text.includes("://")) return readUrl(text);
  // Digits alone are an IPv4 address to URLs, to people a port.
  return text.trim() !== text || /^\d*(\/|$)/.test(text) ? undefined : readUrl(`http://${text}`);
}

/** The largest amount or price: both have 128 bits. */
export const U128_MAX: bigint = (1n << 128n) - 1n;

/** A port, or `off`, which gives `null`. */
export function readPortOrOff(text: string): number | null | undefined {
  return text.toLowerCase() === "off" ? null : readInteger(0, 65_535)(text);
}
