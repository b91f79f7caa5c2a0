import { BlockList, isIP } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Whether a host is reachable only from this machine; `false` if uncertain. */
export function isLocal(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return /^(.+\.)?localhost$/i.test(host);
  return LOOPBACK.check(host, family === 4 ? "ipv4" : "ipv6");
}
