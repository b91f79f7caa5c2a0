/** A Markdown table; cells may hold any text. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Code in a cell; nothing for no text. */
export function code(text: string | undefined): string {
  return text === undefined || text === "" ? "" : `\`${text}\``;
}

function escaped(cell: string): string {
  const plain = cell.includes("`") ? cell : cell.replaceAll("<", "&lt;");
  return plain.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** Something that is wrong with a document's markers. */
export class MarkerError extends Error {
  override readonly name = "MarkerError";
}

/**
 * Puts each section between its markers, `<!-- docs:NAME -->` and `<!-- /docs:NAME -->`.
 *
 * @throws {MarkerError} when a marker is missing, or the document has one that nothing fills
 */
export function fillSections(
  document: string,
  sections: Readonly<Record<string, () => string>>,
): string {
  for (const [, name = ""] of document.matchAll(/<!-- docs:([a-z-]+) -->/g)) {
    if (!Object.hasOwn(sections, name)) throw new MarkerError(`nothing fills docs:${name}`);
  }
  return Object.entries(sections).reduce((text, [name, section]) => {
    const [open, close] = [`<!-- docs:${name} -->`, `<!-- /docs:${name} -->`];
    const start = text.indexOf(open);
    const end = text.indexOf(close);
    if (start === -1 || end < start) throw new MarkerError(`no markers for docs:${name}`);
    return `${text.slice(0, start + open.length)}\n\n${section()}\n\n${text.slice(end)}`;
  }, document);
}
