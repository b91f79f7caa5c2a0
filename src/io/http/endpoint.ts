/** An address to send requests to, apart from what it says of who asks. */
export interface Endpoint {
  /** Without user and password: safe to show. */
  readonly url: string;
  /** What user and password of the address become. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An address, with user and password taken out of it: they are sent in a header, and are in no message
 * of whoever fails.
 *
 * @param address - an address with the scheme `http` or `https`
 * @throws TypeError when it is no address
 */
export function endpointOf(address: string): Endpoint {
  const url = new URL(address);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  url.hash = "";
  if (username === "" && password === "") return { url: url.href, headers: {} };
  const credentials = `${plain(username)}:${plain(password)}`;
  const authorization = `Basic ${Buffer.from(credentials, "utf8").toString("base64")}`;
  return { url: url.href, headers: { authorization } };
}

function plain(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
