import { shownAddress } from "#base/primitives/index.ts";
import { maskOf, secretsOf } from "./secrets.ts";

/** An address to send requests to, apart from the credentials in it. */
export interface Endpoint {
  /** The address without user and password. Its path and query may hold keys: never show it. */
  readonly url: string;
  /** Authorization header made of user and password; empty without them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The address as {@link shownAddress} shows it, with a number when another endpoint looks the same. */
  readonly name: string;
  /** Hides keys of the address in a text that a server sent. */
  readonly masked: (text: string) => string;
}

/**
 * Makes endpoints with distinct names: the second of two that look the same gets the number 2.
 *
 * @param addresses - with the scheme `http` or `https`
 * @param secrets - keys that headers of its requests hold, also hidden in texts
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
 * Makes one endpoint.
 *
 * @param address - with the scheme `http` or `https`
 * @param secrets - keys that headers of its requests hold, also hidden in texts
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
