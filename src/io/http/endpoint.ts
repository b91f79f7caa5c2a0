import { shownAddress } from "#base/primitives/index.ts";
import { maskOf, secretsOf } from "./secrets.ts";

/** Address to send requests to, separated from its credentials. */
export interface Endpoint {
  /** URL without user and password. Its path and query may contain secrets: never log or display it. */
  readonly url: string;
  /** Authorization header for user and password; empty without them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Display name as of {@link shownAddress}, numbered when another endpoint has the same one. */
  readonly name: string;
  /** Masks secrets of the address in a text from the server. */
  readonly masked: (text: string) => string;
}

/**
 * Creates endpoints with distinct names: a second endpoint with the same name gets the number 2.
 *
 * @param addresses - URLs with the scheme `http` or `https`
 * @param secrets - secrets in request headers; also masked in texts
 * @throws TypeError for an invalid URL
 */
export function endpointsOf(
  addresses: readonly string[],
  secrets: readonly string[],
): readonly Endpoint[] {
  const counts = new Map<string, number>();
  return addresses.map((address) => {
    const shown = shownAddress(address);
    const count = (counts.get(shown) ?? 0) + 1;
    counts.set(shown, count);
    const endpoint = endpointOf(address, secrets);
    return count === 1 ? endpoint : { ...endpoint, name: `${shown} (${count})` };
  });
}

/**
 * Creates one endpoint.
 *
 * @param address - URL with the scheme `http` or `https`
 * @param secrets - secrets in request headers; also masked in texts
 * @throws TypeError for an invalid URL
 */
export function endpointOf(address: string, secrets: readonly string[]): Endpoint {
  const url = new URL(address);
  const headers = authorizationOf(url);
  const sent = Object.values(headers).map((value) => value.replace("Basic ", ""));
  const masked = maskOf([...secretsOf(url), ...sent, ...secrets]);
  url.username = "";
  url.password = "";
  url.hash = "";
  return { url: url.href, headers, name: shownAddress(address), masked };
}

function authorizationOf({ username, password }: URL): Endpoint["headers"] {
  if (username === "" && password === "") return {};
  const credentials = `${plain(username)}:${plain(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials, "utf8").toString("base64")}` };
}

function plain(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
