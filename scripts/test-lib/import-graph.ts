import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { importsIn } from "./module-imports.ts";

/** Starts the threads of {@link THREAD_ENTRIES}, which it does not import. */
const THREAD_STARTER = "src/app/node/threads/spawn.ts";

/** Entries of threads, as a pattern from the root of the repository. */
const THREAD_ENTRIES = "src/app/node/**/*.thread.ts";

/**
 * Modules of a repository and what they import; types are no imports. An import by name from a module
 * that only re-exports (`index.ts`) counts as an import of the module that defines the name.
 */
export class ImportGraph {
  readonly #root: string;
  readonly #imports = new Map<string, readonly string[]>();
  readonly #reexports = new Map<string, ReadonlyMap<string, string> | undefined>();

  /** @param root - the repository */
  constructor(root: string) {
    this.#root = root;
  }

  /** Files that a module imports or starts, as paths from the root; packages are omitted. */
  importsOf(path: string): readonly string[] {
    const known = this.#imports.get(path);
    if (known !== undefined) return known;
    const found = path.endsWith(".ts") ? this.#scan(path) : [];
    this.#imports.set(path, found);
    return found;
  }

  /**
   * Those of `files` that are in `targets` or reach one of them through imports, sorted.
   *
   * @param follow - whether to follow the imports of a module; by default of all
   */
  reaching(
    files: readonly string[],
    targets: ReadonlySet<string>,
    follow: (path: string) => boolean = () => true,
  ): readonly string[] {
    const importers = new Map<string, string[]>();
    const seen = new Set(files);
    // Iteration over a set includes values that the loop adds.
    for (const path of seen) {
      if (!follow(path)) continue;
      for (const imported of this.importsOf(path)) {
        seen.add(imported);
        const others = importers.get(imported);
        if (others === undefined) importers.set(imported, [path]);
        else others.push(path);
      }
    }
    const reached = new Set(targets);
    for (const path of reached) {
      for (const importer of importers.get(path) ?? []) reached.add(importer);
    }
    return files.filter((path) => reached.has(path)).toSorted();
  }

  #scan(path: string): readonly string[] {
    const found = importsIn(this.#read(path)).flatMap(({ from, names }) => {
      const imported = resolved(path, from);
      if (!this.#isFile(imported)) return [];
      return names === undefined ? [imported] : names.map((name) => this.#source(imported, name));
    });
    if (path === THREAD_STARTER) found.push(...this.#threads());
    return [...new Set(found)].filter((file) => file !== path);
  }

  /** Module that defines what `path` exports as `name`. */
  #source(path: string, name: string): string {
    const from = this.#reexportsOf(path)?.get(name);
    return from === undefined ? path : this.#source(from, name);
  }

  /** Names that a module re-exports, with their origin; `undefined` for a module with other imports. */
  #reexportsOf(path: string): ReadonlyMap<string, string> | undefined {
    if (!path.endsWith("/index.ts")) return undefined;
    if (this.#reexports.has(path)) return this.#reexports.get(path);
    const imports = importsIn(this.#read(path));
    const isPure = imports.every(({ isReexport, names }) => isReexport && names !== undefined);
    const names = imports.flatMap((one) =>
      (one.names ?? []).map((name) => [name, resolved(path, one.from)] as const),
    );
    const found = isPure ? new Map(names) : undefined;
    this.#reexports.set(path, found);
    return found;
  }

  #threads(): readonly string[] {
    return [...new Bun.Glob(THREAD_ENTRIES).scanSync({ cwd: this.#root })];
  }

  #read(path: string): string {
    return readFileSync(join(this.#root, path), "utf8");
  }

  #isFile(path: string): boolean {
    const absolute = join(this.#root, path);
    return path !== "" && existsSync(absolute) && statSync(absolute).isFile();
  }
}

/** Path from the root of the module that an import calls `name`; empty for packages. */
function resolved(importer: string, name: string): string {
  if (name.startsWith("#test/")) return join("test", name.slice("#test/".length));
  if (name.startsWith("#")) return join("src", name.slice(1));
  if (!name.startsWith(".")) return "";
  const path = join(dirname(importer), name);
  return path.startsWith("..") ? "" : path;
}
