import type { AllowedHosts, CorsPolicy } from "#base/primitives/index.ts";

/**
 * Names that the `Host` header of a request may have, so that pages of a rebound domain name cannot reach the
 * server. `local`: `localhost`, its subdomains, and any numeric IP address. A list adds names to these.
 */
export type HostPolicy = "local" | AllowedHosts;

/** Checks whether a request with this `Host` header may be answered. */
export type HostCheck = (host: string | null) => boolean;

const LOCAL_HOST =
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[[0-9a-f:.]+\]|\d{1,3}(\.\d{1,3}){3})$/i;

/**
 * Creates the check of a policy; it caches the last allowed host.
 *
 * All policies allow localhost and numeric addresses, and `local` allows nothing else: the owner of a domain
 * cannot rebind those to another address.
 */
export function createHostCheck(policy: HostPolicy): HostCheck {
  if (policy === "any") return () => true;
  let last: string | undefined;
  return (host) => {
    if (host === null || host === last) return true;
    const isAllowed = isHostAllowed(host, policy);
    if (isAllowed) last = host;
    return isAllowed;
  };
}

function isHostAllowed(host: string, policy: "local" | readonly string[]): boolean {
  const name = host.replace(/:\d{1,5}$/, "").toLowerCase();
  if (LOCAL_HOST.test(name)) return true;
  return policy !== "local" && policy.some((allowed) => allowed.toLowerCase() === name);
}

/**
 * Returns the policy of a server. If other machines can reach the server, or it answers pages of all origins,
 * pages of any domain may reach it, too.
 */
export function hostPolicyOf(hostname: string, cors: CorsPolicy): HostPolicy {
  return isLoopback(hostname) && cors !== "all" ? "local" : "any";
}

/** Whether a listener on this address is reachable only from this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || hostname.startsWith("127.");
}
