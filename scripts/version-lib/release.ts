import { entriesOf, rowsOf, sectionsOf, UNRELEASED } from "./changelog.ts";
import { isHigher, parseNumber, type VersionNumber } from "./number.ts";

/** Width of the table's first column, as the formatter aligns it below `version`. */
const COLUMN = 7;

/** A version that is about to be cut. */
export interface Release {
  readonly number: VersionNumber;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Hash of the checked-out commit, the last one that the version contains. */
  readonly commit: string;
}

/** State of the repository before a version is cut. */
export interface ReleaseInput {
  /** Text of `CHANGELOG.md`. */
  readonly changelog: string;
  /** Text of `package.json`. */
  readonly manifest: string;
  readonly packageVersion: string;
  /** Whether the work tree equals the checked-out commit. */
  readonly isClean: boolean;
}

/** Reason against cutting a version, with what to do; `undefined` when nothing speaks against it. */
export function refusalOf(
  { changelog, packageVersion, isClean }: ReleaseInput,
  { number, commit }: Release,
): string | undefined {
  const current = parseNumber(packageVersion);
  if (current === undefined) {
    return `package.json has the version "${packageVersion}": expected X.Y.Z`;
  }
  if (!isHigher(number, current)) {
    const hint = "choose a higher one, or use --patch, --minor or --major";
    return `${number.join(".")} is not higher than the current version ${packageVersion}: ${hint}`;
  }
  if (commit === "") return "the version needs the commit that git has checked out: run in a clone";
  if (!isClean) return "the work tree has changes: commit, stash or delete them first";
  const [unreleased] = sectionsOf(changelog);
  if (unreleased === undefined || entriesOf(unreleased).length === 0) {
    return `CHANGELOG.md has no entries under ${UNRELEASED}: add a line for each change that users notice`;
  }
  return undefined;
}

/**
 * Moves the unreleased entries below a heading of the new version, adds its row to the table, and sets the
 * version of `package.json`.
 *
 * Shape: the changelog passes `problemsOf`, and {@link refusalOf} has no reason.
 */
export function released(
  { changelog, manifest }: ReleaseInput,
  { number, date, commit }: Release,
): { readonly changelog: string; readonly manifest: string } {
  const version = number.join(".");
  const lines = changelog.split("\n");
  const sections = sectionsOf(changelog);
  const [unreleased] = sections;
  const [newest] = rowsOf(sections);
  const row = `| ${version.padEnd(COLUMN)} | ${date} | \`${commit.slice(0, 8)}\` |`;
  // The later place first: insertions move the lines below them.
  if (newest !== undefined) lines.splice(newest.line - 1, 0, row);
  lines.splice(unreleased?.line ?? 0, 0, "", `## ${version} - ${date}`);
  return {
    changelog: lines.join("\n"),
    manifest: manifest.replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`),
  };
}
