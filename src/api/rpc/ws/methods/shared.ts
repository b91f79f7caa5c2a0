import { array, type Decoder, felt } from "#base/codec/index.ts";
import { invariant } from "#base/errors/index.ts";
import type { EventQuery } from "#engine/state/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockId } from "../../block-id.ts";
import type { ChainContext } from "../../context.ts";
import type { Fail } from "../../errors.ts";
import { MAX_FILTER_ADDRESSES } from "../../events/limits.ts";
import { blockOrFail } from "../../methods/shared.ts";
import type { SubscriptionSpec } from "../../spec/subscriptions.ts";
import type { SpecVersion } from "../../spec/version.ts";
import { MAX_BLOCKS_BACK } from "../limits.ts";

/**
 * Decoder of a list of sender addresses; {@link checkSenders} limits its length, with a specific
 * error.
 */
export const senders: Decoder<readonly Felt[]> = array(felt);

/** Returns the subscriptions of a version that subscription methods are bound to. */
export function subscriptionsOf({ subscriptions }: SpecVersion): SubscriptionSpec {
  invariant(subscriptions !== undefined, "a version with these methods has subscriptions");
  return subscriptions;
}

/**
 * Returns the first block that a subscription reports, as other nodes do; block 0 for a chain without blocks.
 */
export function firstBlockOf(
  context: ChainContext,
  id: BlockId,
  fail: Fail<"BLOCK_NOT_FOUND" | "TOO_MANY_BLOCKS_BACK">,
): number {
  const latest = context.chain.latestNumber() ?? -1;
  if (id.kind === "latest") return Math.max(latest, 0);
  const block = blockOrFail(context, id, fail);
  invariant(block.kind === "accepted", "subscriptions begin with accepted blocks");
  return latest - block.number > MAX_BLOCKS_BACK ? fail("TOO_MANY_BLOCKS_BACK") : block.number;
}

/**
 * Checks the length of an event filter's keys.
 *
 * @throws TOO_MANY_KEYS_IN_FILTER through `fail` if positions and alternatives together exceed the limit
 */
export function checkKeys(
  { limits }: ChainContext,
  keys: EventQuery["keys"],
  fail: Fail<"TOO_MANY_KEYS_IN_FILTER">,
): void {
  const most = limits.maxEventKeys;
  const count = keys.reduce((sum, alternatives) => sum + alternatives.length, keys.length);
  if (count > most) {
    const reason = `keys: at most ${most} positions and alternatives, not ${count}`;
    fail("TOO_MANY_KEYS_IN_FILTER", reason);
  }
}

/**
 * Checks the number of sender addresses in a subscription's filter.
 *
 * @throws TOO_MANY_ADDRESSES_IN_FILTER through `fail` above {@link MAX_FILTER_ADDRESSES}
 */
export function checkSenders(
  addresses: readonly Felt[],
  fail: Fail<"TOO_MANY_ADDRESSES_IN_FILTER">,
): void {
  if (addresses.length > MAX_FILTER_ADDRESSES) {
    const reason = `sender_address: at most ${MAX_FILTER_ADDRESSES}, not ${addresses.length}`;
    fail("TOO_MANY_ADDRESSES_IN_FILTER", reason);
  }
}
