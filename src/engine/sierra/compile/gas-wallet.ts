import { type CostToken, PRECOST_TOKENS } from "../libfunc/branch-cost.ts";
import { CompileError } from "../compile-error.ts";

const TOKENS: readonly CostToken[] = ["Const", ...PRECOST_TOKENS];

/** Prepaid gas that is not consumed yet, per token. Missing tokens are 0. */
export type GasWallet = ReadonlyMap<CostToken, number>;

/**
 * Subtracts a cost from a wallet; negative costs add to it.
 *
 * @throws {CompileError} SIERRA_INVALID when the gas is insufficient
 */
export function walletAfter(wallet: GasWallet, cost: ReadonlyMap<CostToken, number>): GasWallet {
  if (cost.size === 0) return wallet;
  const left = new Map(wallet);
  for (const [token, amount] of cost) {
    const rest = (left.get(token) ?? 0) - amount;
    if (rest < 0) {
      throw new CompileError("SIERRA_INVALID", `out of gas: ${-rest} of ${token} are missing`);
    }
    left.set(token, rest);
  }
  return left;
}

/** Whether two wallets hold the same amounts. */
export function isSameWallet(a: GasWallet, b: GasWallet): boolean {
  return TOKENS.every((token) => (a.get(token) ?? 0) === (b.get(token) ?? 0));
}
