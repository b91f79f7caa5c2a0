import { type Endpoint, endpointOf } from "#io/http/index.ts";

/** An address of L1, and how it is shown. */
export interface EndpointAddress {
  readonly endpoint: Endpoint;
  /** Scheme, host and port alone: providers have keys in paths and queries. */
  readonly name: string;
  /** Takes out of a text what of the address may be a key. */
  masked(text: string): string;
}

/** Shorter parts of a path are names such as `v3`. */
const LEAST_SECRET = 8;
const MASK = "***";

/**
 * Addresses of L1's endpoints with names of their own: a second one at the same host has a number.
 *
 * @param urls - with the scheme `http` or `https`
 */
export function endpointAddresses(urls: readonly string[]): readonly EndpointAddress[] {
  const seen = new Map<string, number>();
  return urls.map((text) => {
    const url = new URL(text);
    const count = (seen.get(url.origin) ?? 0) + 1;
    seen.set(url.origin, count);
    const secrets = secretsOf(url);
    return {
      endpoint: endpointOf(text),
      name: count === 1 ? url.origin : `${url.origin} (${count})`,
      masked: (said) => secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), said),
    };
  });
}

function secretsOf(url: URL): readonly string[] {
  const { username, password, pathname, searchParams } = url;
  const parts = pathname.split("/").filter((part) => part.length >= LEAST_SECRET);
  const credentials = [username, password].filter((part) => part !== "");
  const all = [...credentials, ...parts, ...[...searchParams.values()].filter(Boolean)];
  return all.flatMap((part) => [part, decoded(part)]).toSorted((a, b) => b.length - a.length);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
