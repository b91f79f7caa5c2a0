import type { EventQuery } from "#engine/state/index.ts";
import type { Event } from "#protocol/chain/index.ts";

/**
 * Creates the predicate for events that a query selects. An event without a key at a position matches only if
 * any key does (as in Pathfinder; the specification leaves it open).
 */
export function eventMatcher({ addresses, keys }: EventQuery): (event: Event) => boolean {
  const emitters = new Set(addresses);
  const positions = keys
    .map((alternatives, position) => ({ position, accepted: new Set(alternatives) }))
    .filter(({ accepted }) => accepted.size > 0);
  return (event) => {
    if (emitters.size > 0 && !emitters.has(event.fromAddress)) return false;
    return positions.every(({ position, accepted }) => {
      const key = event.keys[position];
      return key !== undefined && accepted.has(key);
    });
  };
}
