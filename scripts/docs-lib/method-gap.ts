import { readFileSync } from "node:fs";
import { join } from "node:path";

const METHOD_FOLDER = join(import.meta.dir, "../../src/api/rpc/methods");

/** What of a method is not built: all of it, a part that is named, or nothing. */
export type Gap =
  { readonly kind: "all" } | { readonly kind: "part"; readonly what: string } | undefined;

/** A method says what it lacks where it refuses: `notBuilt("name")`, `notBuilt("a part")`. */
export function gapOf(name: string): Gap {
  const source = readFileSync(join(METHOD_FOLDER, `${name}.ts`), "utf8");
  const lacks = [...source.matchAll(/notBuilt\(\s*"([^"]+)"/g)].map(([, what = ""]) => what);
  if (lacks.includes(name)) return { kind: "all" };
  return lacks.length === 0 ? undefined : { kind: "part", what: lacks.join(", ") };
}
