import { resolve } from "node:path";
import type { DumpOptions } from "#app/node/index.ts";
import { devnetOnly, wrongOption } from "./given.ts";
import { readChoice, readText, valueOption } from "./option.ts";
import type { ParsedArguments } from "./parse-arguments.ts";

const group = "Development chains";

/** Dumps of development chains, under starknet-devnet's names. */
export const dumpOptions = {
  dumpOn: valueOption(
    {
      flag: "dump-on",
      value: "EVENT",
      group,
      summary:
        "when --preset devnet writes the requests that built the chain to --dump-path: exit, block (after each), or request (only on devnet_dump)",
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
      summary: "dump file; a new chain is first restored from an existing dump in it",
    },
    "a file",
    readText,
    null,
  ),
};

/**
 * Returns when and where a development chain is dumped; `null` when neither option is set.
 *
 * @param isDevnet - whether the chain is the preset devnet
 * @throws {ConfigError} when an option is used on another chain, or one lacks the other
 */
export function dumpOf(
  { options, given }: Pick<ParsedArguments<typeof dumpOptions>, "options" | "given">,
  isDevnet: boolean,
): DumpOptions | null {
  const { dumpOn: on, dumpPath: path } = options;
  if (on === null && path === null) return null;
  if (!isDevnet) throw devnetOnly(given, on === null ? "dump-path" : "dump-on");
  if (path === null && on !== "request") {
    throw wrongOption(given, "dump-on", `${on} requires --dump-path`);
  }
  return { on, path: path === null ? null : resolve(path) };
}
