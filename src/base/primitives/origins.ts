/**
 * Web pages that may read a server's responses. `local`: pages of this machine, see {@link LOCAL_ORIGINS}.
 * Listed origins are written `https://example.org`; a trailing `:*` means any port.
 */
export type CorsPolicy = "local" | "all" | readonly string[];

/** Origin patterns of `local`: HTTP and HTTPS pages of this machine; `:*` means any port. */
export const LOCAL_ORIGINS: readonly string[] = [
  "http://localhost:*",
  "http://127.0.0.1:*",
  "http://[::1]:*",
  "https://localhost:*",
  "https://127.0.0.1:*",
  "https://[::1]:*",
];

/**
 * Parses the option text: `all` or `*`, or a comma-separated list of origins.
 *
 * @returns `undefined` when an item is not an origin: a scheme, a host, an optional port, and no path
 */
export function corsPolicyFromText(text: string): "all" | readonly string[] | undefined {
  if (text === "all" || text === "*") return "all";
  const origins = text.split(",").map((origin) => origin.trim());
  return origins.every((origin) => /^https?:\/\/[^\s/]+$/.test(origin)) ? origins : undefined;
}
