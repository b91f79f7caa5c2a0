import { shownAddress } from "#base/primitives/index.ts";
import { maskOf, secretsOf } from "./secrets.ts";

/** An address to send requests to, apart from what it says of who asks. */
export interface Endpoint {
  /** Without user and password, which are sent in a header. Its path and query may hold keys: never shown. */
  readonly url: string;
  /** What user and password of the address become. */
  readonly headers: Readonly<Record<string, string>>;
  /** The address as {@link shownAddress}; of several that would look alike, with a number. */
  readonly name: string;
  /** A text of whoever answers, without what of the address may be a key. */
  readonly masked: (text: string) => string;
}

/**
 * Endpoints with names of their own: of several that would look alike, the second one has the number 2.
 *
 * @param addresses - with the scheme `http` or `https`
 * @param secrets - sent with requests beside the address, in headers
 * @throws TypeError when one is no address
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
 * One endpoint.
 *
 * @param address - with the scheme `http` or `https`
 * @param secrets - sent with requests beside the address, in headers
 * @throws TypeError when it is no address
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
