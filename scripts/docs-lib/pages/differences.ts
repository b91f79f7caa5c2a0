import { DIFFERENCES } from "../data/openrpc-differences.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

/** Where the interface document and the specification differ, and what is done here. */
export const differencesPage: Page = {
  file: "openrpc-differences.md",
  title: "Differences from OpenRPC",
  from: "scripts/docs-lib/data/openrpc-differences.ts",
  body: () =>
    parts(
      "The interface document names methods, parameters and errors; it also asks for the latest version of the official specification. Where the two disagree, the specification's OpenRPC files win on both prefixes, so that existing SDKs work; what the document allows beyond them is accepted.",
      table(
        ["method", "interface document", "OpenRPC 0.10.2", "here"],
        DIFFERENCES.map(({ methods, document, openRpc, here }) => [
          methods.map(code).join(", "),
          document,
          openRpc,
          here,
        ]),
      ),
    ),
};
