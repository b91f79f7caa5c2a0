import { resolve } from "node:path";
import type { DumpOptions } from "#app/node/index.ts";
import { devnetOnly, wrongOption } from "./given.ts";
import { readChoice, readText, valueOption } from "./option.ts";
import type { ParsedArguments } from "./parse-arguments.ts";

const group = "Development chains";

/** Dumps of development chains, as starknet-devnet calls them. */
export const dumpOptions = {
  dumpOn: valueOption(
    {
      flag: "dump-on",
      value: "EVENT",
      group,
      summary:
        "when --preset devnet writes the requests that made the chain to --dump-path: exit, block (after each), or request (only when devnet_dump asks)",
    },
    "exit, block or request",
    readChoice(["exit", "block", "request"]),
    null,
  ),
  dumpPath: valueOption(
    {
      flag: "dump-path",
      value: "FILE",
      group,
      summary: "the file; a new chain begins with the dump that it holds",
    },
    "a file",
    readText,
    null,
  ),
};

/**
 * When a development chain is dumped, and where; `null` when neither option was given.
 *
 * @param isDevnet - the chain is the preset devnet
 * @throws {ConfigError} when an option was given for another chain, or one lacks the other
 */
export function dumpOf(
  { options, given }: Pick<ParsedArguments<typeof dumpOptions>, "options" | "given">,
  isDevnet: boolean,
): DumpOptions | null {
  const { dumpOn: on, dumpPath: path } = options;
  if (on === null && path === null) return null;
  if (!isDevnet) throw devnetOnly(given, on === null ? "dump-path" : "dump-on");
  if (path === null && on !== "request") {
    throw wrongOption(given, "dump-on", `${on} needs --dump-path: give both`);
  }
  return { on, path: path === null ? null : resolve(path) };
}
