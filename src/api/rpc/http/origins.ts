import { type CorsPolicy, LOCAL_ORIGINS } from "#base/primitives/index.ts";

/** Checks whether an `Origin` header is allowed. */
export type OriginCheck = (origin: string) => boolean;

/** Creates the check of a policy; results are cached for recent origins. */
export function createOriginCheck(policy: CorsPolicy): OriginCheck {
  if (policy === "all") return () => true;
  const patterns = (policy === "local" ? LOCAL_ORIGINS : policy).map(originPattern);
  const known = new Map<string, boolean>();
  return (origin) => {
    let allowed = known.get(origin);
    if (allowed === undefined) {
      allowed = patterns.some((pattern) => pattern.test(origin));
      if (known.size >= 64) known.clear();
      known.set(origin, allowed);
    }
    return allowed;
  };
}

function originPattern(origin: string): RegExp {
  const anyPort = origin.endsWith(":*");
  const literal = (anyPort ? origin.slice(0, -2) : origin).replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return new RegExp(`^${literal}${anyPort ? "(:\\d{1,5})?" : ""}$`, "i");
}
