import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Hit, hitsIn } from "./hits.ts";
import { changelogProse, markdownProse } from "./prose.ts";
import { sourceProse } from "./source-prose.ts";

/** Files with prose: sources, pages and the entrance of the repository. */
const PATTERNS = ["{src,test,scripts,bin,contracts}/**/*.ts", "{src,docs}/**/*.md", "*.md"];

/** Files that nobody writes by hand. */
const NOT_WRITTEN = /(?:^|\/)(?:node_modules|build|dist)\/|\.generated\.ts$/;

/** Paths of all files with prose, relative to the root and sorted. */
export function proseFiles(root: string): readonly string[] {
  const paths = PATTERNS.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })]);
  return paths.filter((path) => !NOT_WRITTEN.test(path)).sort();
}

/** Those of `files` that are, or are below, one of the paths; `undefined` for a path that does not exist. */
export function filesBelow(
  root: string,
  files: readonly string[],
  path: string,
): readonly string[] | undefined {
  const absolute = resolve(root, path);
  if (!existsSync(absolute)) return undefined;
  const own = relative(root, absolute);
  if (!statSync(absolute).isDirectory()) return files.includes(own) ? [own] : [];
  return own === "" ? files : files.filter((file) => file.startsWith(`${own}/`));
}

/** Hits of a file by its path: pages, the changelog, and sources have prose in different places. */
export function hitsOfFile(root: string, path: string): readonly Hit[] {
  const text = readFileSync(join(root, path), "utf8");
  if (path === "CHANGELOG.md") return hitsIn(text, changelogProse(text));
  return hitsIn(text, path.endsWith(".md") ? markdownProse(text) : sourceProse(text));
}
