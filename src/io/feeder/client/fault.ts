import { parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { Endpoint } from "#io/http/index.ts";
import { type GatewayErrorBody, readGatewayError } from "../wire/error.ts";

/** What a gateway says when it does not do what it was asked. */
export type Fault = GatewayErrorBody;

/** Longer ones are something else, of whoever stands before the gateway. */
const MAX_FAULT_BYTES = 1 << 20;
const MAX_CODE_LENGTH = 100;
/** A reason to reject can have the whole trace of a validation in it. */
const MAX_MESSAGE_LENGTH = 100_000;

/**
 * The fault that a body tells, without what of the gateway's address may be a key.
 *
 * @returns `undefined`: it is no fault of a gateway
 */
export function readFault(
  bytes: Uint8Array,
  { masked }: Pick<Endpoint, "masked">,
): Fault | undefined {
  if (bytes.byteLength > MAX_FAULT_BYTES) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const said = parseJson(text, { maxDepth: 16, maxElements: 1000, maxParts: 1000 });
    const fault = readGatewayError(said);
    if (fault === undefined || fault.code.length > MAX_CODE_LENGTH) return undefined;
    const message = masked(fault.message).slice(0, MAX_MESSAGE_LENGTH);
    return { code: masked(fault.code), message };
  } catch (cause) {
    if (cause instanceof DecodeError || cause instanceof TypeError) return undefined;
    throw cause;
  }
}

/** Whether it is the fault of that name, with either of the prefixes that gateways write. */
export function isFault({ code }: Fault, name: string): boolean {
  return code === `StarknetErrorCode.${name}` || code === `StarkErrorCode.${name}`;
}
