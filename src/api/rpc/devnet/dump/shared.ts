import { convert, type Decoder, text } from "#base/codec/index.ts";

/** Longest path that is taken; no system takes a longer one. */
const MAX_PATH = 4_096;

/** Path of a file. */
export const filePath: Decoder<string> = convert(
  text,
  `path of 1 to ${MAX_PATH} characters, none of them NUL`,
  (path) => (path !== "" && path.length <= MAX_PATH && !path.includes("\0") ? path : undefined),
);
