/** A page of `docs/` that is generated from tables of the program. */
export interface Page {
  /** Name below `docs/`. */
  readonly file: string;
  readonly title: string;
  /** Source of the page, relative to the root: edit this file to change the page. */
  readonly from: string;
  /** Everything below the title. */
  readonly body: () => string | Promise<string>;
}

/** First text of a generated page after its title; hand-written pages do not have it. */
export const GENERATED = "<!-- Written by `bun scripts/docs.ts` from ";

/** The complete text of a page's file. */
export async function pageText({ title, from, body }: Page): Promise<string> {
  return `# ${title}\n\n${GENERATED}${from} -->\n\n${await body()}\n`;
}

/** Parts of a page with a blank line between them. */
export function parts(...texts: readonly string[]): string {
  return texts.join("\n\n");
}
