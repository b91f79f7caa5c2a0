/** Client connection that waits for responses. */
export class Caller {
  /** Source address in the form of {@link addressKey}: the key of all limits per address. */
  readonly address: string;
  #isDisconnected = false;
  #controller: AbortController | undefined;

  /** @param remoteAddress - address of the socket; `undefined` if it has none */
  constructor(remoteAddress: string | undefined) {
    this.address = addressKey(remoteAddress ?? "");
  }

  /** Whether the connection is closed: responses have no reader. */
  get isDisconnected(): boolean {
    return this.#isDisconnected;
  }

  /** Aborted when the connection closes. Created on demand: most requests need none. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isDisconnected) this.#controller.abort();
    return this.#controller.signal;
  }

  leave(): void {
    this.#isDisconnected = true;
    this.#controller?.abort();
  }
}

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * Returns the part of an address that identifies one client: an IPv4 address, or the first 64 bits of an IPv6
 * address, because a subscriber gets the whole /64 (RFC 6177).
 */
export function addressKey(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ""] = address.split("%", 1);
  const [head = "", tail] = plain.toLowerCase().split("::", 2);
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill("0"), ...after];
  const network = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ""));
  return `${network.join(":")}::/64`;
}
