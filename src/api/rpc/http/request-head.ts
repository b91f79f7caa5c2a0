import { invalidRequest } from "../json-rpc.ts";
import { hasFaultyFraming } from "./framing.ts";
import { errorReply, type HttpReply, rawReply, type RequestHeaders } from "./message.ts";
import { authorityOf } from "./paths.ts";

const CLOSE = { connection: "close" } as const;
const NO_HOST = errorReply(invalidRequest("expected one Host header"), 400, CLOSE);
const NO_AUTHORITY = errorReply(
  invalidRequest("expected a host, without a user, in the request target"),
  400,
  CLOSE,
);
const UNKNOWN_EXPECTATION = errorReply(invalidRequest("expect: expected 100-continue"), 417, CLOSE);

/** Maximum number of fields in a head: each takes many times its bytes. */
const MAX_FIELDS = 256;

/** Memory of a string in addition to its characters. */
const STRING_BYTES = 32;

/** Parsed head of a request. */
export interface HeadParts {
  readonly method: string;
  /** Request target, as written in the request line. */
  readonly url: string;
  /** Header names, as written, alternating with values. */
  readonly rawHeaders: readonly string[];
  readonly version: readonly [major: number, minor: number];
  /** Whether the client wants to send another request over the same connection. */
  readonly keepsAlive: boolean;
}

/** Head of a request, with the values derived from it. Requests with identical heads share one object. */
export class RequestHead implements HeadParts, RequestHeaders {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly version: readonly [major: number, minor: number];
  readonly keepsAlive: boolean;
  /** Whether it is HTTP/1.0, where `keep-alive` must be requested explicitly. */
  readonly isOld: boolean;
  /** Length of the body; `undefined` if not announced. */
  readonly announcedBytes: number | undefined;
  /** Value of `Expect`; `null` if absent, or in HTTP/1.0. */
  readonly expectation: string | null;
  /** Reply that refuses an invalid request; the connection ends after it. */
  readonly refusal: HttpReply | undefined;
  /** Estimated memory that the head takes while it is kept. */
  readonly sizeBytes: number;
  readonly #values = new Map<string, string | null>();
  /** Host of a request target in absolute form; `undefined` if the target is a path. */
  readonly #authority: string | undefined;

  constructor({ method, url, rawHeaders, version, keepsAlive }: HeadParts) {
    this.method = method;
    this.url = url;
    this.rawHeaders = rawHeaders;
    this.version = version;
    this.keepsAlive = keepsAlive;
    this.isOld = version[1] === 0;
    this.#authority = authorityOf(url);
    const length = this.get("content-length");
    this.announcedBytes = length === null ? undefined : Number(length);
    this.expectation = this.isOld ? null : this.get("expect");
    this.refusal = version[0] === 1 ? this.#refusal() : rawReply(505);
    let bytes = url.length + 2 * STRING_BYTES;
    for (const { length: characters } of rawHeaders) bytes += characters + STRING_BYTES;
    this.sizeBytes = bytes;
  }

  /**
   * Returns the values of all fields with this name, joined by commas (RFC 9110, section 5.3). The host of an
   * absolute request target replaces the `Host` field (RFC 9112, section 3.2.2).
   */
  get(name: string): string | null {
    let value = this.#values.get(name);
    if (value === undefined) this.#values.set(name, (value = this.#find(name)));
    return value;
  }

  #find(name: string): string | null {
    if (this.#authority !== undefined && name.toLowerCase() === "host") return this.#authority;
    const raw = this.rawHeaders;
    let found: string | null = null;
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const rawName = raw[i] as string;
      if (rawName.length !== name.length) continue;
      if (rawName !== name && rawName.toLowerCase() !== name.toLowerCase()) continue;
      found = found === null ? (raw[i + 1] as string) : `${found}, ${raw[i + 1]}`;
    }
    return found;
  }

  #refusal(): HttpReply | undefined {
    if (this.rawHeaders.length > 2 * MAX_FIELDS) return rawReply(431);
    if (hasFaultyFraming(this, this.isOld)) return rawReply(400);
    let hosts = 0;
    for (let i = 0; i < this.rawHeaders.length; i += 2) {
      const name = this.rawHeaders[i] as string;
      if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    }
    // RFC 9112, section 3.2: an HTTP/1.1 request must have exactly one `Host` field; no request may have two.
    if (hosts > 1 || (hosts === 0 && !this.isOld)) return NO_HOST;
    if (this.method === "CONNECT") return rawReply(405);
    // RFC 9110, sections 4.2.1 and 4.2.4: an empty host is invalid, and a user name before the host can
    // disguise it.
    if (this.#authority === "" || this.#authority?.includes("@") === true) return NO_AUTHORITY;
    return this.expectation === null || this.expectation.toLowerCase() === "100-continue"
      ? undefined
      : UNKNOWN_EXPECTATION;
  }
}
