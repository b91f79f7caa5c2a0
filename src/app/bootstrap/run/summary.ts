import { formatUnits } from "viem/utils";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { L1Account } from "../l1/l1-account.ts";
import type { L2Reader } from "../l2/l2-reader.ts";
import { type BootstrapPlan, ETH_TEXT, type TokenText } from "../plan/plan.ts";
import type { BootstrapSettings } from "../settings/read-settings.ts";

/** Inputs of {@link summaryLines}. */
export interface SummaryDeps {
  readonly plan: BootstrapPlan;
  readonly settings: Pick<BootstrapSettings, "l1Deployer">;
  readonly l1: L1Account;
  readonly l2: L2Reader;
}

/**
 * Returns the values that a client of the new chain needs, one per line: its contracts for starknet.js, which
 * may not be at the public addresses, and the balances of both accounts.
 */
export async function summaryLines(deps: SummaryDeps): Promise<readonly string[]> {
  const { plan, settings, l1, l2 } = deps;
  const { account, universalDeployer, nativeToken, ethToken } = plan.l2;
  const held = async (token: Felt, text: TokenText): Promise<string> =>
    `${formatUnits(await balanceOf(l2, token, account), text.decimals)} ${text.symbol}`;
  return [
    "// for starknet.js:",
    "const provider = new RpcProvider({ nodeUrl: process.env.ROLLUP_SEQ_URL });",
    `const deployer = new Deployer(${quoted(universalDeployer)});`,
    `const account = new Account({ provider, address: ${quoted(account)}, signer: process.env.ROLLUP_PRIV_KEY, deployer });`,
    `const feeToken = ${quoted(nativeToken)}; // ${plan.token.symbol}, ${plan.token.decimals} decimals`,
    `const ethToken = ${quoted(ethToken)};`,
    `// ${hexFromFelt(account)} on L2 holds ${await held(nativeToken, plan.token)} and ${await held(ethToken, ETH_TEXT)}: \`appchain bridge deposit\` brings more`,
    `// ${settings.l1Deployer} on L1 holds ${formatUnits(await l1.balanceWei(), ETH_TEXT.decimals)} ETH`,
  ];
}

/** Returns an account's balance of a token on L2; 0 when the token does not exist. */
async function balanceOf(l2: L2Reader, token: Felt, owner: Felt): Promise<bigint> {
  const call = { address: token, functionName: "balance_of", calldata: [owner] };
  const [low = 0n, high = 0n] = (await l2.read(call)) ?? [];
  return (high << 128n) + low;
}

function quoted(value: Felt): string {
  return `"${hexFromFelt(value)}"`;
}
