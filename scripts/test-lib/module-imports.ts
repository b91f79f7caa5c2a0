/** One import, or re-export, of a module. */
export interface ModuleImport {
  /** Module as the source spells it. */
  readonly from: string;
  /** Names as the other module exports them; `undefined` for everything. */
  readonly names: readonly string[] | undefined;
  readonly isReexport: boolean;
}

/** `import`/`export … from "…"`, and `import "…"`. */
const STATIC = /^[ \t]*(import|export)\s+(?:([^;"'`()]*?)\s*from\s*)?["']([^"']+)["']/gm;
const DYNAMIC = /\bimport\(\s*["']([^"']+)["']/g;
/** Relative path of a file, as used in `new URL(…, import.meta.url)` or `import.meta.dir`. */
const STARTED = /["'`](\.{1,2}\/[\w./-]+\.[a-z]+)["'`]/g;

/**
 * Imports of values in a TypeScript source, by its text: static, dynamic, and files that it names
 * relative to itself. Types are omitted. A commented-out import counts, too.
 */
export function importsIn(source: string): readonly ModuleImport[] {
  const found: ModuleImport[] = [];
  const statics = new Set<string>();
  for (const [, keyword, clause, from = ""] of source.matchAll(STATIC)) {
    statics.add(from);
    const isReexport = keyword === "export";
    if (clause === undefined) {
      if (!isReexport) found.push({ from, names: undefined, isReexport });
      continue;
    }
    if (/^type\s+[{*\w]/.test(clause) && !/^type\s*,/.test(clause)) continue;
    const names = namesIn(clause);
    if (names?.length !== 0) found.push({ from, names, isReexport });
  }
  for (const pattern of [DYNAMIC, STARTED]) {
    for (const [, from = ""] of source.matchAll(pattern)) {
      if (statics.has(from)) continue;
      found.push({ from, names: undefined, isReexport: false });
    }
  }
  return found;
}

/** Values in `{ a, type B, c as d }`; `undefined` for a default or a namespace. */
function namesIn(clause: string): readonly string[] | undefined {
  const braces = /^\{([^}]*)\}$/.exec(clause.trim())?.[1];
  if (braces === undefined) return undefined;
  return braces
    .replaceAll(/\/\/.*$|\/\*[^]*?\*\//gm, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => name.split(/\s+as\s+/)[0] ?? name);
}
