import { DIFFERENCES } from "../data/openrpc-differences.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

/** Differences between the `chain_` interface and the specification, and the behaviour of this node. */
export const differencesPage: Page = {
  file: "openrpc-differences.md",
  title: "Differences from OpenRPC",
  from: "scripts/docs-lib/data/openrpc-differences.ts",
  body: () =>
    parts(
      "The methods with the prefix `chain_` have a separate description, which also requires the newest version of the official specification. If the two disagree, the specification's OpenRPC files take precedence on both prefixes, so that existing SDKs work. Input that only the `chain_` interface allows is accepted as well.",
      table(
        ["method", "`chain_` interface", "OpenRPC 0.10.2", "this node"],
        DIFFERENCES.map(({ methods, chain, openRpc, here }) => [
          methods.map(code).join(", "),
          chain,
          openRpc,
          here,
        ]),
      ),
    ),
};
