import { describe, expect, test } from "bun:test";
import { locateFirst, requireLocation } from "#api/rpc/fork/locate.ts";
import { OriginMissing } from "#io/origin/index.ts";
import { forkWorld } from "#test/helpers/fork-context.ts";

const HASH = 0x51n;
const PLACE = { blockNumber: 2, index: 0 };

/** Context of a fork whose chain returns these locations one after the other; `null` throws. */
function forkWith(places: readonly (typeof PLACE | undefined | null)[]) {
  const { context } = forkWorld({});
  const left = [...places];
  const locate = () => {
    const place = left.shift();
    if (place === null) throw new OriginMissing([{ kind: "locate", transactionHash: HASH }]);
    return place;
  };
  return { fork: context.fork, chain: { ...context.chain, locate } };
}

describe("requireLocation", () => {
  test("asks for another run when the location arrived after the first search", () => {
    const context = forkWith([null, PLACE]);
    expect(locateFirst(context, HASH)).toBeUndefined();
    expect(() => requireLocation(context, HASH)).toThrow(OriginMissing);
  });

  test("accepts a transaction that the origin does not know", () => {
    const context = forkWith([undefined, undefined]);
    expect(locateFirst(context, HASH)).toBeUndefined();
    expect(() => requireLocation(context, HASH)).not.toThrow();
  });
});
