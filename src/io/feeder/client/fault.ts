import { parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { Endpoint } from "#io/http/index.ts";
import { type GatewayErrorBody, readGatewayError } from "../wire/error.ts";

/** Error response of a gateway. */
export type Fault = GatewayErrorBody;

/** Maximum size of an error body in bytes; longer ones come from proxies in front of the gateway. */
const MAX_FAULT_BYTES = 1 << 20;
const MAX_CODE_LENGTH = 100;
/** A rejection can contain the whole trace of a validation. */
const MAX_MESSAGE_LENGTH = 100_000;

/**
 * Parses an error body. Parts of the gateway's address that may be secrets are masked.
 *
 * @returns `undefined` if it is not a gateway error
 */
export function readFault(
  bytes: Uint8Array,
  { masked }: Pick<Endpoint, "masked">,
): Fault | undefined {
  if (bytes.byteLength > MAX_FAULT_BYTES) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const json = parseJson(text, { maxDepth: 16, maxElements: 1000, maxParts: 1000 });
    const fault = readGatewayError(json);
    if (fault === undefined || fault.code.length > MAX_CODE_LENGTH) return undefined;
    const message = masked(fault.message).slice(0, MAX_MESSAGE_LENGTH);
    return { code: masked(fault.code), message };
  } catch (cause) {
    if (cause instanceof DecodeError || cause instanceof TypeError) return undefined;
    throw cause;
  }
}

/** Whether the fault has the given name, with either prefix that gateways use. */
export function isFault({ code }: Fault, name: string): boolean {
  return code === `StarknetErrorCode.${name}` || code === `StarkErrorCode.${name}`;
}
