import {
  entriesOf,
  type Line,
  releaseOf,
  rowsOf,
  type Section,
  sectionsOf,
  UNRELEASED,
  VERSIONS,
} from "./changelog.ts";
import { isHigher, parseNumber } from "./number.ts";

/** Maximum length of an entry, and of the line about a version, in characters. */
export const MAX_LENGTH = 160;

/** Headings below a version. */
const GROUPS = ["Added", "Changed", "Fixed", "Removed", "Security"];

/**
 * Checks the form of the changelog, and that `package.json` has its newest version.
 *
 * @param packageVersion - `version` of `package.json`
 * @returns a line for each problem, which names the file and says what was expected
 */
export function problemsOf(text: string, packageVersion: string): readonly string[] {
  const sections = sectionsOf(text);
  const versions = sections.slice(1, -1);
  const problems = [
    ...orderProblems(sections),
    ...sections.slice(0, -1).flatMap(sectionProblems),
    ...versions.filter((section) => entriesOf(section).length === 0).map(emptyProblem),
    ...rowProblems(sections),
  ];
  const newest = versions.map(({ title }) => releaseOf(title)?.version)[0];
  if (newest !== packageVersion) {
    problems.push(
      `package.json: version is ${packageVersion}, but the newest in CHANGELOG.md is ${newest}: scripts/version sets both`,
    );
  }
  return problems;
}

function orderProblems(sections: readonly Section[]): string[] {
  const problems: string[] = [];
  const [first, last] = [sections[0], sections.at(-1)];
  if (first?.title !== UNRELEASED) problems.push(at(first, `expected "## ${UNRELEASED}" first`));
  if (last?.title !== VERSIONS) problems.push(at(last, `expected "## ${VERSIONS}" last`));
  let previous: ReturnType<typeof releaseOf>;
  for (const section of sections.slice(1, -1)) {
    const release = releaseOf(section.title);
    const number = parseNumber(release?.version ?? "");
    if (release === undefined || number === undefined) {
      problems.push(at(section, `expected "## X.Y.Z - YYYY-MM-DD", found "## ${section.title}"`));
      continue;
    }
    const before = parseNumber(previous?.version ?? "");
    if (before !== undefined && !isHigher(before, number)) {
      problems.push(at(section, `${release.version} must be lower than the version above it`));
    }
    if (previous !== undefined && release.date > previous.date) {
      problems.push(at(section, `${release.date} is later than the date of the version above it`));
    }
    previous = release;
  }
  return problems;
}

function sectionProblems({ lines }: Section): string[] {
  const problems: string[] = [];
  const groups: string[] = [];
  let entries = 1;
  for (const [i, { text, number }] of lines.entries()) {
    const line = { line: number };
    const isEntry = text.startsWith("- ");
    if (text.startsWith("#")) {
      const group = text.replace(/^### /, "");
      if (!GROUPS.includes(group)) {
        problems.push(at(line, `expected "### " and one of ${GROUPS.join(", ")}, found "${text}"`));
      }
      if (groups.includes(group)) problems.push(at(line, `"${text}" is repeated: merge the two`));
      if (entries === 0) problems.push(at(line, "the group above has no entries: remove it"));
      groups.push(group);
      entries = 0;
    } else if (isEntry && groups.length === 0) {
      problems.push(at(line, `an entry needs a heading above it: ${GROUPS.join(", ")}`));
    } else if (!isEntry && (groups.length > 0 || i > 0)) {
      problems.push(at(line, "expected an entry in one line, beginning with a dash"));
    }
    if (isEntry) entries++;
    problems.push(...lengthProblems({ text, number }));
  }
  if (entries === 0) problems.push(at({ line: lines.at(-1)?.number ?? 0 }, "has no entries"));
  return problems;
}

function lengthProblems({ text, number }: Line): string[] {
  const length = text.replace(/^- /, "").length;
  if (length <= MAX_LENGTH) return [];
  const expected = `expected at most ${MAX_LENGTH}: move details to docs`;
  return [at({ line: number }, `${length} characters, ${expected}`)];
}

function emptyProblem(section: Section): string {
  return at(section, `${section.title} has no entries`);
}

/** Compares the table of versions with the headings, row by row. */
function rowProblems(sections: readonly Section[]): string[] {
  const releases = sections.slice(1, -1).flatMap(({ title }) => releaseOf(title) ?? []);
  const rows = rowsOf(sections);
  const table = sections.at(-1);
  if (rows.length !== releases.length) {
    return [
      at(table, `expected a row for each of ${releases.length} versions, found ${rows.length}`),
    ];
  }
  return rows.flatMap((row, i) => {
    const { version = "", date = "" } = releases[i] ?? {};
    if (row.version === version && row.date === date) return [];
    return [at(row, `expected ${version} of ${date}, found ${row.version} of ${row.date}`)];
  });
}

function at(place: { readonly line: number } | undefined, message: string): string {
  return `CHANGELOG.md:${place?.line ?? 1}: ${message}`;
}
