/**
 * Checks prose for the patterns of hard-to-read English (`words-lib/patterns.ts`): comments, names of tests,
 * help texts and Markdown. `words-lib/allowed.json` holds the number of hits that a file still has; the check
 * fails when a file has more or fewer. `--shrink` lowers the numbers to the current hits. `--adopt` first moves
 * the numbers of vanished files to new files of the same base name. With paths it lists their hits.
 * Ends with 1 when the check fails, and with 2 for wrong arguments.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "#base/errors/index.ts";
import {
  adopt,
  type Counts,
  differences,
  formatAllowed,
  parseAllowed,
  shrink,
} from "./words-lib/allowed.ts";
import { parseWordsArguments, USAGE } from "./words-lib/arguments.ts";
import { filesBelow, hitsOfFile, proseFiles } from "./words-lib/files.ts";
import {
  countsOf,
  differenceLines,
  hitLine,
  type HitsByFile,
  moveHint,
  totalLine,
} from "./words-lib/report.ts";

const ROOT = join(import.meta.dir, "..");
const ALLOWED = join(import.meta.dir, "words-lib/allowed.json");

function print(...lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

function fail(code: number, message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function readAllowed(): Counts {
  if (!existsSync(ALLOWED)) return { never: {}, doubtful: {} };
  try {
    return parseAllowed(readFileSync(ALLOWED, "utf8"));
  } catch (error) {
    if (error instanceof AppError) fail(1, `${ALLOWED}: ${error.message}`);
    throw error;
  }
}

function hitsOf(files: readonly string[]): HitsByFile {
  const hits = files.map((path) => [path, hitsOfFile(ROOT, path)] as const);
  return new Map(hits.filter(([, list]) => list.length > 0));
}

function list(files: readonly string[], paths: readonly string[]): void {
  const chosen = paths.flatMap(
    (path) => filesBelow(ROOT, files, path) ?? fail(2, `words: ${path}: no such file or folder`),
  );
  const hits = hitsOf([...new Set(chosen)]);
  for (const [path, own] of hits) print(...own.map((hit) => hitLine(path, hit)));
  print(totalLine(countsOf(hits)));
}

/** Compares the tree with the allowed numbers. @returns whether they agree */
function check(hits: HitsByFile, allowed: Counts): boolean {
  const counts = countsOf(hits);
  const found = differences(counts, allowed);
  print(...differenceLines(found, hits));
  const hint = moveHint(found, counts, allowed);
  if (hint !== "") print(hint);
  print(totalLine(counts));
  return found.length === 0;
}

const request = parseWordsArguments(process.argv.slice(2)) ?? fail(2, USAGE);
const files = proseFiles(ROOT);
if (request.kind === "list") list(files, request.paths);
else {
  const hits = hitsOf(files);
  const counts = countsOf(hits);
  let allowed = readAllowed();
  if (request.kind === "adopt") allowed = adopt(allowed, counts, files);
  if (request.kind !== "check") {
    allowed = shrink(allowed, counts);
    await Bun.write(ALLOWED, formatAllowed(allowed));
  }
  if (!check(hits, allowed)) process.exitCode = 1;
}
