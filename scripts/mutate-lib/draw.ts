import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Mutation, mutationsOf } from "./operators.ts";

/** A mutation of a file; the path is below the repository's root. */
export interface Mutant extends Mutation {
  readonly file: string;
  /** The file as it was when the mutant was drawn. */
  readonly source: string;
  /** Line number, from 1. */
  readonly line: number;
}

/** Every mutant of the TypeScript files at or below `paths`. */
export function mutantsOf(root: string, paths: readonly string[]): readonly Mutant[] {
  return filesOf(root, paths).flatMap((file) => {
    const source = readFileSync(join(root, file), "utf8");
    return mutationsOf(source).map((mutation) => ({
      ...mutation,
      file,
      source,
      line: source.slice(0, mutation.start).split("\n").length,
    }));
  });
}

/**
 * Declarations, and the entries of threads. Entries run only in workers, and the end of a worker closes its
 * resources, so that no unit test notices omitted cleanup; end-to-end tests run them.
 */
const LEFT_OUT = /\.(?:d|thread)\.ts$/;

function filesOf(root: string, paths: readonly string[]): readonly string[] {
  const files = paths.flatMap((path) =>
    path.endsWith(".ts") ? [path] : [...new Bun.Glob(`${path}/**/*.ts`).scanSync({ cwd: root })],
  );
  return [...new Set(files)].filter((file) => !LEFT_OUT.test(file)).sort();
}
