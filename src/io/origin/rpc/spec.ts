import { unsupported } from "../errors.ts";

/** JSON-RPC specification that a URL of the origin implements. */
export interface OriginSpec {
  /** As reported: `0.10.2`. */
  readonly text: string;
  /** Whether block ids have the tag `l1_accepted`: since 0.9. */
  readonly hasL1Accepted: boolean;
  /**
   * Whether block requests accept `response_flags`, and event filters a list of addresses: since 0.10.1.
   */
  readonly hasFlags: boolean;
}

const VERSION = /^0\.(\d{1,3})\.(\d{1,3})(?:[-+][\w.+-]{1,32})?$/;

const OLDEST_MINOR = 8;
const NEWEST_MINOR = 10;

/**
 * Returns the specification that the response to `starknet_specVersion` names.
 *
 * @param name - name of the URL, for the message
 * @throws {OriginError} ORIGIN_UNSUPPORTED for versions below 0.8 and above 0.10
 */
export function originSpecOf(text: string, name: string): OriginSpec {
  const [, minorText = "", patchText = ""] = VERSION.exec(text) ?? [];
  const [minor, patch] = [Number(minorText || Number.NaN), Number(patchText)];
  if (!(minor >= OLDEST_MINOR && minor <= NEWEST_MINOR)) {
    throw unsupported(
      `${name} implements JSON-RPC ${JSON.stringify(text.slice(0, 64))}; a fork needs 0.8, 0.9 or 0.10: add a path to the URL that selects one of them, such as /rpc/v0_10`,
    );
  }
  return {
    text,
    hasL1Accepted: minor >= 9,
    hasFlags: minor > 10 || (minor === 10 && patch >= 1),
  };
}
