import { isJsonObject, type JsonValue, parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { compareProtocolVersions, isProtocolVersion } from "#protocol/versions/index.ts";
import { type GatewayWholeBlock, readGatewayWholeBlock } from "#io/feeder/index.ts";
import type { BlockCheckRequest, SyncRefusal } from "../ports.ts";
import { checkReceiptPlaces } from "./check-receipts.ts";
import { formRefusal, refusalOf } from "./refusal.ts";

/**
 * JSON limits of a block: the largest blocks of the public networks have a tenth of it. A resource bound is
 * nested seven levels deep.
 */
const LIMITS = { maxDepth: 16, maxElements: 8_000_000, maxParts: 4_000_000 };

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decoded response of a gateway's get_state_update with block and signature. */
export interface ReadBlock {
  readonly kind: "read";
  readonly whole: GatewayWholeBlock;
  /** Undecoded `transaction_receipts`: {@link whole} does not include all of their content. */
  readonly receipts: readonly unknown[];
}

/**
 * Parses JSON bytes within limits.
 *
 * @throws {DecodeError} when the bytes are not JSON, or exceed a limit
 */
export function jsonOf(
  bytes: Uint8Array,
  limits: { readonly maxDepth: number; readonly maxElements: number; readonly maxParts: number },
): { readonly text: string; readonly value: JsonValue } {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw new DecodeError("", "UTF-8 text", { cause });
  }
  return { text, value: parseJson(text, limits) };
}

/**
 * Decodes a block. A block of an unsupported newer protocol may have another format: it is refused for its
 * version.
 *
 * @param newestVersion - newest supported protocol version
 */
export function readBlock(
  { blockNumber, text }: Pick<BlockCheckRequest, "blockNumber" | "text">,
  newestVersion: string,
): ReadBlock | { readonly kind: "refused"; readonly refusal: SyncRefusal } {
  const refused = (refusal: SyncRefusal) => ({ kind: "refused", refusal }) as const;
  try {
    const { value } = jsonOf(text, LIMITS);
    const block = member(value, "block");
    const version = member(block, "starknet_version");
    if (isNewer(version, newestVersion)) {
      return refused(
        refusalOf(blockNumber, {
          check: "protocol_version",
          field: "starknet_version",
          expected: `at most ${newestVersion}, the newest that this program knows`,
          found: version,
        }),
      );
    }
    const places = checkReceiptPlaces(blockNumber, block);
    if (places !== undefined) return refused(places);
    const whole = readGatewayWholeBlock(value);
    return { kind: "read", whole, receipts: listOf(block, "transaction_receipts") };
  } catch (error) {
    if (error instanceof DecodeError) return refused(formRefusal(blockNumber, error));
    throw error;
  }
}

function isNewer(version: unknown, newest: string): version is string {
  return (
    typeof version === "string" &&
    isProtocolVersion(version) &&
    compareProtocolVersions(version, newest) > 0
  );
}

/** Returns a member of a possible object; `undefined` if `value` is not an object. */
export function member(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

/** Returns a member that may be a list; empty if it is not. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name);
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}
