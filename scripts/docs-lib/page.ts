/** A page of `docs/` that is written from tables of the program. */
export interface Page {
  /** Name below `docs/`. */
  readonly file: string;
  readonly title: string;
  /** What it is written from, relative to the root: where a change of the page is made. */
  readonly from: string;
  /** Everything below the title. */
  readonly body: () => string | Promise<string>;
}

/** How a generated page begins after its title; pages by hand have no such line. */
export const GENERATED = "<!-- Written by `bun scripts/docs.ts` from ";

/** A page as it stands in its file. */
export async function pageText({ title, from, body }: Page): Promise<string> {
  return `# ${title}\n\n${GENERATED}${from} -->\n\n${await body()}\n`;
}

/** Parts of a page with a blank line between them. */
export function parts(...texts: readonly string[]): string {
  return texts.join("\n\n");
}
