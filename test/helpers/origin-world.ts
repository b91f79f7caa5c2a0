import { OriginError } from "#base/errors/index.ts";
import { bytesFromFelt } from "#base/primitives/index.ts";
import type { OriginBlock, OriginReader } from "#engine/state/index.ts";
import {
  encodeOriginBlock,
  type OriginChannel,
  type OriginQuery,
  originQueryText,
} from "#io/origin/index.ts";

/** Number of the fork block of these tests. */
export const FORK_BLOCK = 100;

/** Channel that answers from a table by query text, and records the queries. */
export function tableChannel(values: ReadonlyMap<string, Uint8Array | null>): {
  readonly channel: OriginChannel;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const ask = (query: OriginQuery): Uint8Array | null => {
    const text = originQueryText(query);
    asked.push(text);
    const value = values.get(text);
    if (value === undefined) throw new OriginError("ORIGIN_UNAVAILABLE", text, true);
    return value;
  };
  return { channel: { ask, require: () => undefined }, asked };
}

/** Encoded value of a storage variable, nonce or class hash. */
export function feltValue(value: bigint): Uint8Array {
  return bytesFromFelt(value);
}

/** Encoded value of a `block` query. */
export function blockValue(block: OriginBlock): Uint8Array {
  return encodeOriginBlock(block);
}

/** Reader of an origin of which nothing may be read, except what `parts` has. */
export function partialOrigin(parts: Partial<OriginReader>): OriginReader {
  const refuse = (): never => {
    throw new OriginError("ORIGIN_UNAVAILABLE", "the test expects no read of the origin", false);
  };
  return {
    forkBlock: FORK_BLOCK,
    stateAt: refuse,
    block: refuse,
    stateDiff: refuse,
    numberByHash: refuse,
    locate: refuse,
    declaredClass: refuse,
    l1AcceptedNumber: refuse,
    messagesOfL1Transaction: refuse,
    ...parts,
  };
}
