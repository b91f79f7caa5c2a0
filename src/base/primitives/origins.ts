/**
 * Which web pages may read a server's answers. `local`: pages of this machine, see
 * {@link LOCAL_ORIGINS}. Listed origins are written `https://example.org`; a trailing `:*` stands for
 * any port.
 */
export type CorsPolicy = "local" | "all" | readonly string[];

/** The origins of `local`: any port of this machine. */
export const LOCAL_ORIGINS: readonly string[] = [
  "http://localhost:*",
  "http://127.0.0.1:*",
  "http://[::1]:*",
  "https://localhost:*",
  "https://127.0.0.1:*",
  "https://[::1]:*",
];

/**
 * Reads a policy as options state it: `all` or `*`, or a comma list of origins.
 *
 * @returns `undefined` when a part of the list is not an origin: a scheme, a host, perhaps a port,
 *   and no path
 */
export function corsPolicyFromText(text: string): "all" | readonly string[] | undefined {
  if (text === "all" || text === "*") return "all";
  const origins = text.split(",").map((origin) => origin.trim());
  return origins.every((origin) => /^https?:\/\/[^\s/]+$/.test(origin)) ? origins : undefined;
}
