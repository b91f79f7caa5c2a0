/** Returns the text of a field of a form; an empty one for a file or an absent field. */
export function formText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === "string" ? value : "";
}
