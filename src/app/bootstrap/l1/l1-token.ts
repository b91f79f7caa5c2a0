import { parseAbi } from "viem";
import { ConfigError } from "#base/errors/index.ts";
import type { TokenText } from "../plan/plan.ts";
import type { Hex } from "../settings/forms.ts";
import type { L1Account } from "./l1-account.ts";

/** A token on L1, with its name, symbol and decimals. */
export type NamedToken = TokenText & { readonly address: Hex };

const ABI = parseAbi([
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
]);

/**
 * Reads name, symbol and decimals of an L1 token, which determine the address of its L2 counterpart.
 *
 * @throws {ConfigError} when it is not an ERC-20 token with these properties
 */
export async function l1Token(l1: L1Account, address: Hex): Promise<NamedToken> {
  if (await l1.hasCode(address)) {
    const [name, symbol, decimals] = [
      await l1.readForeign(address, ABI, "name"),
      await l1.readForeign(address, ABI, "symbol"),
      await l1.readForeign(address, ABI, "decimals"),
    ];
    if (typeof name === "string" && typeof symbol === "string" && typeof decimals === "number") {
      return { address, name, symbol, decimals };
    }
  }
  const message = "is not a token on L1 with name, symbol and decimals";
  throw new ConfigError("wrong command line", [{ path: "--l1-fee-token", line: 0, message }]);
}
