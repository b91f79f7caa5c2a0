/** A Markdown table without padding; cells may hold any text. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Code in a cell; empty for an empty or absent text. */
export function code(text: string | undefined): string {
  return text === undefined || text === "" ? "" : `\`${text}\``;
}

function escaped(cell: string): string {
  const plain = cell.includes("`") ? cell : cell.replaceAll("<", "&lt;");
  return plain.replaceAll("|", "\\|").replaceAll("\n", " ");
}
