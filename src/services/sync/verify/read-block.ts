import { isJsonObject, type JsonValue, parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { compareProtocolVersions, isProtocolVersion } from "#protocol/versions/index.ts";
import { type GatewayWholeBlock, readGatewayWholeBlock } from "#io/feeder/index.ts";
import type { BlockCheckRequest, SyncRefusal } from "../ports.ts";
import { checkReceiptPlaces } from "./check-receipts.ts";
import { formRefusal, refusalOf } from "./refusal.ts";

/**
 * Of a block: the largest ones of the public networks have a tenth of it. A bound of a resource is on the
 * seventh level.
 */
const LIMITS = { maxDepth: 16, maxElements: 8_000_000, maxParts: 4_000_000 };

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A block that has its form. */
export interface ReadBlock {
  readonly kind: "read";
  readonly whole: GatewayWholeBlock;
  /** `transaction_receipts` as they came: not all that they say is part of {@link whole}. */
  readonly receipts: readonly unknown[];
}

/**
 * The JSON that bytes hold, within limits.
 *
 * @throws {DecodeError} when they hold none, or more
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
 * Reads a block. A block of a newer protocol than the newest that is known may have another form: it is
 * refused for its version.
 *
 * @param newestVersion - of the protocol
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

/** A member of what may be an object; `undefined` where it is none. */
export function member(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

/** A member that may be a list; empty where it is none. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name);
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}
