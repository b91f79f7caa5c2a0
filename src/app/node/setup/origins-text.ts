import { LOCAL_ORIGINS } from "#base/primitives/index.ts";
import type { RpcOptions } from "./node-options.ts";

/** Origins that browsers may call from, formatted for the log. */
export function originsText({ cors }: Pick<RpcOptions, "cors">): string {
  if (cors === "all") return "*";
  return (cors === "local" ? LOCAL_ORIGINS : cors).join(",");
}
