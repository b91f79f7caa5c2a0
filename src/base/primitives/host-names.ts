/** Names that a server accepts in the `Host` header; `any` accepts all. */
export type AllowedHosts = "any" | readonly string[];

/** A name or an address, without a port. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_])?|\[[0-9a-f:.]+\])$/i;

/**
 * Parses the option text: `*`, or a comma-separated list of names.
 *
 * @returns `undefined` if an item is not a name: it has a scheme, a port or a path, or is empty
 */
export function allowedHostsFromText(text: string): AllowedHosts | undefined {
  if (text === "*") return "any";
  const names = text.split(",").map((name) => name.trim());
  return names.every((name) => HOST.test(name)) ? names : undefined;
}
