import { type CorsPolicy, LOCAL_ORIGINS } from "#base/primitives/index.ts";

/** Tells whether an `Origin` header is allowed. */
export type OriginCheck = (origin: string) => boolean;

/** Makes the check of a policy; answers are remembered for the origins asked last. */
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

/** Which `Host` headers a server answers to: a page of a rebound domain name must not reach it. */
export type HostPolicy = "local" | "any" | readonly string[];

const LOCAL_HOST =
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[[0-9a-f:.]+\]|\d{1,3}(\.\d{1,3}){3})$/i;

/**
 * Whether a request with this `Host` header is answered.
 *
 * `local` takes localhost and addresses in digits: those can not be rebound to another address by
 * whoever owns a domain.
 */
export function isHostAllowed(host: string | null, policy: HostPolicy): boolean {
  if (policy === "any" || host === null) return true;
  const name = host.replace(/:\d{1,5}$/, "").toLowerCase();
  if (LOCAL_HOST.test(name)) return true;
  return policy !== "local" && policy.some((allowed) => allowed.toLowerCase() === name);
}
