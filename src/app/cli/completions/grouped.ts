/** Joins the items that have the same text, in the order of their first one. */
export function grouped<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  textOf: (item: T) => string,
): readonly (readonly [text: string, names: readonly string[]])[] {
  const groups = Map.groupBy(items, textOf);
  return [...groups].map(([text, list]) => [text, list.map(nameOf)]);
}
