import type { AllowedHosts, CorsPolicy } from "#base/primitives/index.ts";

/** Which `Host` headers a server answers to: a page of a rebound domain name must not reach it. */
export type HostPolicy = "local" | AllowedHosts;

/** Tells whether a request with this `Host` header is answered. */
export type HostCheck = (host: string | null) => boolean;

const LOCAL_HOST =
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[[0-9a-f:.]+\]|\d{1,3}(\.\d{1,3}){3})$/i;

/**
 * Makes the check of a policy; the host asked last is remembered.
 *
 * All take localhost and addresses in digits, and `local` nothing else: those cannot be rebound to another
 * address by whoever owns a domain.
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
 * The policy of a server: pages of any domain may reach what others than this machine reach, too, and
 * what answers pages of all origins.
 */
export function hostPolicyOf(hostname: string, cors: CorsPolicy): HostPolicy {
  return isLoopback(hostname) && cors !== "all" ? "local" : "any";
}

/** Whether only this machine can reach what listens on the address. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || hostname.startsWith("127.");
}
