import type { Child } from "hono/jsx";

/** Heading of a column; one of numbers is aligned to the right, as its cells are. */
export type Head = string | { readonly num: string };

/** Table with headings. */
export function Table({
  heads,
  children,
}: {
  readonly heads: readonly Head[];
  /** Rows. */
  readonly children?: Child;
}) {
  return (
    <table>
      <thead>
        <tr>
          {heads.map((head) =>
            typeof head === "string" ? (
              <th key={head}>{head}</th>
            ) : (
              <th key={head.num} class="num">
                {head.num}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
