import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMethodTables, METHODS } from "#api/rpc/index.ts";
import { code, table } from "./markdown.ts";

const METHOD_FOLDER = join(import.meta.dir, "../../src/api/rpc/methods");

/** What of a method is not built: all of it, a part that is named, or nothing. */
type Gap = { readonly kind: "all" } | { readonly kind: "part"; readonly what: string } | undefined;

/** A method says what it lacks where it refuses: `notBuilt("name")`, `notBuilt("a part")`. */
function gapOf(name: string): Gap {
  const source = readFileSync(join(METHOD_FOLDER, `${name}.ts`), "utf8");
  const lacks = [...source.matchAll(/notBuilt\(\s*"([^"]+)"/g)].map(([, what = ""]) => what);
  if (lacks.includes(name)) return { kind: "all" };
  return lacks.length === 0 ? undefined : { kind: "part", what: lacks.join(", ") };
}

/** Served versions of the specification, newest first, and how many methods answer. */
export function statusLines(): string {
  const versions = createMethodTables().map(({ spec }) => spec.version);
  const missing = METHODS.filter(({ name }) => gapOf(name)?.kind === "all");
  const names = missing.map(({ name }) => code(name)).join(", ");
  return table(
    ["interface", "state"],
    [
      [
        "JSON-RPC specification",
        `${versions.join(", ")}; both prefixes, \`chain_\` and \`starknet_\``,
      ],
      [
        "methods of the interface document",
        `${METHODS.length} declared with all parameters and errors`,
      ],
      ["methods that answer", `${METHODS.length - missing.length} of ${METHODS.length}`],
      ["methods not built yet", names === "" ? "none" : names],
    ],
  );
}

/** Every method with parameters, errors and state. */
export function rpcTable(): string {
  const [newest] = createMethodTables();
  const rows = METHODS.map(({ name, family, summary, errors }) => {
    const params = newest.methods.get(name)?.params ?? [];
    const gap = gapOf(name);
    const state = gap === undefined ? "built" : "not built yet";
    return [
      code(name),
      family,
      params
        .map((param) => code(param.need === "required" ? param.name : `${param.name}?`))
        .join(", "),
      [...errors].join(", "),
      gap?.kind === "part" ? `built, but for ${gap.what}` : state,
      summary,
    ];
  });
  return table(["method", "family", "parameters", "errors", "state", "does"], rows);
}
