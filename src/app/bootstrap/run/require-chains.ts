import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import type { L1Account } from "../l1/l1-account.ts";
import type { L2Reader } from "../l2/l2-reader.ts";
import { METHOD_NOT_FOUND, RpcFault } from "../net/json-rpc.ts";
import type { BootstrapPlan } from "../plan/plan.ts";
import type { BootstrapSettings } from "../settings/read-settings.ts";
import type { Hex } from "../settings/forms.ts";

/** Chain id of Ethereum mainnet, where no test token is deployed. */
const MAINNET = 1;

/**
 * Requires L1 to be the configured chain, with the contracts that the settings name.
 *
 * @param namedToken - the token on L1; `null` when a test token will be deployed
 * @throws {ConfigError} with all issues
 */
export async function requireL1(
  l1: L1Account,
  settings: BootstrapSettings,
  namedToken: Hex | null,
): Promise<void> {
  const { production } = settings;
  const chainId = await unlessUnknown(l1.chainId());
  if (chainId === undefined) {
    throw wrong([issue("ETH_RPC", "is not the address of an L1 node")]);
  }
  const issues: ConfigIssue[] = [];
  if (chainId !== settings.l1ChainId) {
    issues.push(issue("ETH_CHAIN_ID", "is not the chain id of the node of ETH_RPC"));
  } else if (production !== null && !(await l1.hasCode(production.verifier))) {
    const message = "has no contract on L1: without a verifier the state can never be updated";
    issues.push(issue("VERIFIER_ADDRESS", message));
  }
  if (namedToken === null && production !== null && settings.l1ChainId === MAINNET) {
    const message = "is required on Ethereum mainnet: the token on L1 that fees are paid with";
    issues.push(issue("--l1-fee-token", message));
  }
  if (issues.length > 0) throw wrong(issues);
}

/**
 * Requires the sequencer's chain to be the planned one.
 *
 * @throws {ConfigError} with all issues
 */
export async function requireL2(
  l2: L2Reader,
  { appChainId }: BootstrapSettings,
  plan: BootstrapPlan,
): Promise<void> {
  const issues: ConfigIssue[] = [];
  const chainId = await unlessUnknown(l2.chainId());
  if (chainId === undefined) {
    throw wrong([issue("ROLLUP_SEQ_URL", "is not the address of a sequencer")]);
  }
  if (chainId !== feltFromShortString(appChainId)) {
    issues.push(issue("APP_CHAIN_ID", "is not the chain id of the sequencer"));
  }
  const contracts = await l2.contracts();
  if (contracts === undefined) {
    const message = "its node does not report its fee tokens (appchain_getContractAddresses)";
    throw wrong([...issues, issue("ROLLUP_SEQ_URL", message)]);
  }
  const expected: readonly (readonly [string, bigint, bigint])[] = [
    ["eth_core_contract_address", contracts.core, BigInt(plan.l1.core)],
    ["native_fee_token_address", contracts.nativeFeeToken, plan.l2.nativeToken],
    ["parent_fee_token_address", contracts.parentFeeToken, plan.l2.ethToken],
  ];
  for (const [field, found, planned] of expected) {
    if (found === planned) continue;
    const message = `the chain was started with ${field} ${hexFromFelt(found)}, but the plan has ${hexFromFelt(planned)}: start it with the options that --plan prints`;
    issues.push(issue("ROLLUP_SEQ_URL", message));
  }
  if (issues.length > 0) throw wrong(issues);
}

/** Returns the result of a request; `undefined` when the node does not support the method. */
async function unlessUnknown<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof RpcFault && cause.rpcCode === METHOD_NOT_FOUND) return undefined;
    throw cause;
  }
}

/** Creates an issue about a variable or an option. */
export function issue(path: string, message: string): ConfigIssue {
  return { path, line: 0, message };
}

/** Creates the error for bootstrap settings that do not fit the chains, with all issues. */
export function wrong(issues: readonly ConfigIssue[]): ConfigError {
  return new ConfigError("the settings of the bootstrap are wrong", issues);
}
