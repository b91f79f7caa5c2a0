import type { EventQuery } from "#engine/state/index.ts";
import type { Event } from "#protocol/chain/index.ts";

/**
 * Makes the question whether an event is asked for. An event without a key at a position fits there
 * when any key does (as in Pathfinder; the specification does not say).
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
