import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");

/** A fenced block of a document. */
export interface DocumentBlock {
  /** Document, relative to the root. */
  readonly document: string;
  /** `sh`, `js`, `yaml`; empty if unspecified. */
  readonly language: string;
  readonly text: string;
  /** File name, if the last line before the block consists of one. */
  readonly fileName: string | undefined;
}

const LEFT_OUT = new Set(["node_modules", "dist", ".git", ".bun"]);

/** All fenced blocks of all documents of the repository, in order. */
export function documentBlocks(): readonly DocumentBlock[] {
  return documentsIn(ROOT).flatMap((path) => blocksOf(path));
}

/** Every document of the repository: its path relative to the root, and its text. */
export function documents(): readonly { readonly path: string; readonly text: string }[] {
  return documentsIn(ROOT).map((path) => ({
    path: relative(ROOT, path),
    text: readFileSync(path, "utf8"),
  }));
}

function documentsIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.has(name))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return documentsIn(path);
      return entry.isFile() && entry.name.endsWith(".md") ? [path] : [];
    });
}

function blocksOf(path: string): readonly DocumentBlock[] {
  const text = readFileSync(path, "utf8");
  const fences = /(?:^`([^`\n]+)`:\n\n)?^```(\w*)\n([\s\S]*?)^```$/gm;
  return [...text.matchAll(fences)].map(([, fileName, language = "", body = ""]) => ({
    document: relative(ROOT, path),
    language,
    text: body,
    fileName,
  }));
}

/** The commands of a shell block: its lines without comments. */
export function commandsOf({ text }: DocumentBlock): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/\s*(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");
}
