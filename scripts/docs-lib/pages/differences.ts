import { DIFFERENCES } from "../data/openrpc-differences.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

/** Where the `chain_` interface and the specification differ, and what is done here. */
export const differencesPage: Page = {
  file: "openrpc-differences.md",
  title: "Differences from OpenRPC",
  from: "scripts/docs-lib/data/openrpc-differences.ts",
  body: () =>
    parts(
      "The methods of the prefix `chain_` have a description of their own, which also asks for the newest version of the official specification. Where the two disagree, the specification's OpenRPC files win on both prefixes, so that existing SDKs work; what the `chain_` interface allows beyond them is accepted.",
      table(
        ["method", "`chain_` interface", "OpenRPC 0.10.2", "here"],
        DIFFERENCES.map(({ methods, chain, openRpc, here }) => [
          methods.map(code).join(", "),
          chain,
          openRpc,
          here,
        ]),
      ),
    ),
};
