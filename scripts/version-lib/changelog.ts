/** Title of the section of changes that no version contains yet. */
export const UNRELEASED = "Unreleased";

/** Title of the last section: the table of versions. */
export const VERSIONS = "Versions";

/** A line of the changelog. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

/** A section with a heading of level 2. */
export interface Section {
  /** Text of the heading. */
  readonly title: string;
  /** Line of the heading, counted from 1. */
  readonly line: number;
  /** All lines below the heading that are not blank. */
  readonly lines: readonly Line[];
}

/** A row of the table of versions. */
export interface VersionRow {
  readonly version: string;
  readonly date: string;
  /** Last commit that the version contains: the parent of the commit that raises the version. */
  readonly commit: string;
  readonly line: number;
}

/** Splits a changelog into its sections. */
export function sectionsOf(text: string): readonly Section[] {
  const sections: { title: string; line: number; lines: Line[] }[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    if (line.startsWith("## ")) sections.push({ title: line.slice(3), line: i + 1, lines: [] });
    else if (line.trim() !== "") sections.at(-1)?.lines.push({ number: i + 1, text: line });
  }
  return sections;
}

/** Version and date of a heading: `0.7.0 - 2026-11-28`; `undefined` for other headings. */
export function releaseOf(title: string): { version: string; date: string } | undefined {
  const [, version, date] = /^(\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})$/.exec(title) ?? [];
  return version === undefined || date === undefined ? undefined : { version, date };
}

/** Entries of a section: its lines that start with a dash. */
export function entriesOf({ lines }: Section): readonly Line[] {
  return lines.filter(({ text }) => text.startsWith("- "));
}

/** Rows of the table of versions; lines of another form are omitted. */
export function rowsOf(sections: readonly Section[]): readonly VersionRow[] {
  const lines = sections.find(({ title }) => title === VERSIONS)?.lines ?? [];
  return lines.flatMap(({ text, number }) => {
    const [, version, date, commit] =
      /^\| (\d+\.\d+\.\d+) +\| (\d{4}-\d{2}-\d{2}) +\| `([0-9a-f]{8})` +\|$/.exec(text) ?? [];
    if (version === undefined || date === undefined || commit === undefined) return [];
    return [{ version, date, commit, line: number }];
  });
}
