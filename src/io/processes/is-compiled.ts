/** Whether this code runs from the compiled executable. */
export function isCompiled(): boolean {
  return import.meta.url.includes("/$bunfs/") || import.meta.url.includes("~BUN");
}
