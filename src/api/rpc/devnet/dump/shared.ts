import { convert, type Decoder, text } from "#base/codec/index.ts";
import { NotServedError } from "../../errors.ts";
import type { DevnetAccess } from "../access.ts";
import type { DumpAccess } from "./access.ts";

/** Longest path that is taken; no system takes a longer one. */
const MAX_PATH = 4_096;

/** Path of a file. */
export const filePath: Decoder<string> = convert(
  text,
  `path of 1 to ${MAX_PATH} characters, none of them NUL`,
  (path) => (path !== "" && path.length <= MAX_PATH && !path.includes("\0") ? path : undefined),
);

/** What dumping and loading work with here. */
export function dumpsOf({ dumps }: DevnetAccess): DumpAccess {
  if (dumps === undefined) throw new NotServedError("this node makes no dumps");
  return dumps;
}
