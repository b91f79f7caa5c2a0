import { untilTrue } from "#test/helpers/until-true.ts";
import type { OriginCall, OriginProxy } from "./origin-proxy.ts";

/** Time without a further request after which the fork has requested everything that it can, on a busy machine. */
const QUIET_MS = 1_000;

/** Responses of an origin that are held. */
export interface HeldValues {
  /**
   * Waits until requests of clients are held: at least a value of each, and no further values arrive.
   *
   * @param requests - number of requests
   * @returns whether they are held
   */
  readonly allHeld: (requests: number) => Promise<boolean>;
  /** Gives the held responses. */
  readonly release: () => void;
  /** Later requests are answered. */
  readonly keepThese: () => void;
}

/** Keeps back the origin's responses to requests for storage and nonces, until they are released. */
export function holdValues(proxy: Pick<OriginProxy, "add">): HeldValues {
  const opening = Promise.withResolvers<void>();
  const held: OriginCall[] = [];
  const rule = proxy.add({
    methods: ["getStorageAt", "getNonce"],
    lie: async ({ calls, honest }) => {
      held.push(...calls);
      await opening.promise;
      return honest();
    },
  });
  return {
    allHeld: (requests) =>
      untilTrue(async () => {
        const count = held.length;
        await Bun.sleep(QUIET_MS);
        return count >= requests && held.length === count;
      }),
    release: () => opening.resolve(),
    keepThese: () => rule.end(),
  };
}
