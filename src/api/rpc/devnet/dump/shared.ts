import { convert, type Decoder, text } from "#base/codec/index.ts";

/** Maximum length of a path; no operating system supports longer ones. */
const MAX_PATH = 4_096;

/** Decoder of the path of a dump file in a request. */
export const filePath: Decoder<string> = convert(
  text,
  `path of 1 to ${MAX_PATH} characters, none of them NUL`,
  (path) => (path !== "" && path.length <= MAX_PATH && !path.includes("\0") ? path : undefined),
);
