import { resolve } from "node:path";
import { DURATION_FORM, parseDurationMs } from "#protocol/config/index.ts";
import type { Option } from "./option.ts";
import { readDuration, readInteger, readSwitch, readText } from "./read-option.ts";

const MIB = 2 ** 20;

/** Texts and users of an option. */
type Texts = Pick<
  Option<unknown>,
  "flag" | "short" | "summary" | "group" | "usedBy" | "brief" | "words" | "sets"
> & {
  readonly value?: string;
  readonly defaultText?: string;
};

type ValueTexts = Texts & { readonly value: string };

/** Texts of an option whose placeholder follows from its kind. */
type KindTexts = Omit<Texts, "value">;

/** Creates an option with a value, parsed from text. */
export function valueOption<T, F extends string | number | bigint | null | undefined>(
  texts: ValueTexts,
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

/** Creates a switch. `--flag=false`, or `false` in the environment, turns it off. */
export function switchOption(texts: KindTexts): Option<boolean> {
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

/** Creates a switch such as `--no-charge-fee`, which turns a setting off. */
export function offSwitchOption(texts: KindTexts): Option<boolean> {
  return {
    ...switchOption(texts),
    read: ([text = "true"]) => {
      const isOff = readSwitch(text);
      return isOff === undefined ? undefined : !isOff;
    },
    fallback: true,
  };
}

/** Creates an option that may be repeated; the values keep their order. */
export function listOption(texts: ValueTexts): Option<readonly string[]> {
  return {
    ...texts,
    defaultText: undefined,
    expected: texts.value,
    repeatable: true,
    read: (list) => (list.every((text) => text !== "") ? list : undefined),
    fallback: [],
  };
}

/** Creates an option that may be repeated, with a value parsed from all texts together. */
export function parsedListOption<T>(
  texts: ValueTexts,
  expected: string,
  read: (texts: readonly string[]) => readonly T[] | undefined,
): Option<readonly T[]> {
  return { ...texts, defaultText: undefined, expected, repeatable: true, read, fallback: [] };
}

/** Creates an option for an integer from `min` to `max`. */
export function integerOption<F extends number | null>(
  texts: KindTexts & { readonly value?: string },
  [min, max]: readonly [number, number],
  fallback: F,
): Option<number | F> {
  const form = `integer from ${min} to ${max}`;
  return valueOption({ value: "N", ...texts }, form, readInteger(min, max), fallback);
}

/** Creates an option for an amount of memory, given in MiB; the setting is in bytes. */
export function mibOption(
  texts: KindTexts,
  [min, max]: readonly [number, number],
  fallbackMib: number,
): Option<number> {
  const read = readInteger(min, max);
  return valueOption(
    { value: "MIB", defaultText: String(fallbackMib), ...texts },
    `MiB from ${min} to ${max}`,
    (text) => {
      const mib = read(text);
      return mib === undefined ? undefined : mib * MIB;
    },
    fallbackMib * MIB,
  );
}

/** Creates an option for a duration, such as `30s`; the setting is in milliseconds. */
export function durationOption(
  texts: KindTexts,
  [min, max]: readonly [min: string, max: string],
  fallback: string,
): Option<number> {
  return valueOption(
    { value: "DURATION", defaultText: fallback, ...texts },
    `${DURATION_FORM}, from ${min} to ${max}`,
    readDuration(parseDurationMs(min) ?? 0, parseDurationMs(max) ?? Infinity),
    parseDurationMs(fallback) ?? 0,
  );
}

/** Creates an option for one of several words, in any case. */
export function choiceOption<const W extends string, F extends NoInfer<W> | null>(
  texts: ValueTexts & { readonly expected?: string },
  words: readonly W[],
  fallback: F,
): Option<W | F> {
  const { expected = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`, ...rest } = texts;
  const read = (text: string) => words.find((word) => word === text.toLowerCase());
  return valueOption({ ...rest, words }, expected, read, fallback);
}

/** Creates an option for a file; the setting is its absolute path. */
export function fileOption(texts: KindTexts): Option<string | null> {
  const read = (text: string) => (readText(text) === undefined ? undefined : resolve(text));
  return valueOption({ value: "FILE", ...texts }, "a file", read, null);
}

/** Creates an option for a port to listen on. */
export function portOption(texts: KindTexts, fallback: number): Option<number> {
  const form = "port from 0 to 65535 (0 takes a free one)";
  return valueOption({ value: "PORT", ...texts }, form, readInteger(0, 65_535), fallback);
}

/** Creates an option for a port to listen on; `null` if the server is off. */
export function portOrOffOption<F extends number | null>(
  texts: KindTexts,
  fallback: F,
): Option<number | null> {
  const read = readInteger(0, 65_535);
  return valueOption(
    { value: "PORT", defaultText: fallback === null ? "off" : String(fallback), ...texts },
    "port from 0 to 65535, or off",
    (text) => (text.toLowerCase() === "off" ? null : read(text)),
    fallback,
  );
}
