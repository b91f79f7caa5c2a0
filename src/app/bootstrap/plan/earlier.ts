import { getContractAddress } from "viem/utils";
import type { L1Account } from "../l1/l1-account.ts";
import type { NamedToken } from "../l1/l1-token.ts";
import type { BootstrapSettings } from "../settings/read-settings.ts";
import type { Hex } from "../settings/forms.ts";
import { type BootstrapPlan, makePlan } from "./plan.ts";

/** Contracts of an earlier bootstrap of a chain, as found on L1. */
export interface EarlierSetup {
  readonly plan: BootstrapPlan;
  readonly isDevelopment: boolean;
  /** Whether its core contract is initialized for this chain; otherwise that run stopped earlier. */
  readonly isInitialized: boolean;
}

/** Inputs for the search of earlier setups. */
export interface EarlierSearch {
  readonly l1: L1Account;
  readonly settings: BootstrapSettings;
  readonly l1Token: NamedToken | null;
  /** The deployer's next nonce. */
  readonly nonce: number;
}

/** Maximum nonces of the deployer to search, the newest ones. */
const MAX_NONCES = 500;

/** Maximum concurrent requests to L1. */
const CONCURRENCY = 20;

/** Result of `identify` of the core contract's implementation. */
const CORE_NAME = "appchain_CoreContract_1";

/**
 * Finds the deployer's earlier setups for this chain, newest first, by the code at the addresses derived from
 * its nonces. Skips contracts of other chains.
 */
export async function earlierSetups(search: EarlierSearch): Promise<readonly EarlierSetup[]> {
  const { l1, settings, nonce } = search;
  const found: EarlierSetup[] = [];
  const lowest = Math.max(0, nonce - MAX_NONCES);
  for (let end = nonce; end > lowest; end -= CONCURRENCY) {
    const nonces = Array.from(
      { length: Math.min(CONCURRENCY, end - lowest) },
      (_, i) => end - 1 - i,
    );
    const withCode = await Promise.all(
      nonces.map(async (at) => ((await l1.hasCode(created(settings.l1Deployer, at))) ? [at] : [])),
    );
    for (const at of withCode.flat()) {
      const setup = await setupAt(search, at);
      if (setup !== undefined) found.push(setup);
    }
  }
  return found;
}

/** Returns the setup of the contract created at a nonce; `undefined` for any other contract. */
async function setupAt(search: EarlierSearch, at: number): Promise<EarlierSetup | undefined> {
  const { l1, settings, nonce } = search;
  const address = created(settings.l1Deployer, at);
  if (await isCoreImplementation(l1, address)) {
    const before = at > 0 ? created(settings.l1Deployer, at - 1) : undefined;
    const isDevelopment = before !== undefined && (await isVerifier(l1, before, settings));
    return setupOf(search, isDevelopment ? at - 1 : at, isDevelopment);
  }
  // Covers a run that was killed after its first deployment.
  const isAlone = at === nonce - 1 && (await isVerifier(l1, address, settings));
  return isAlone ? setupOf(search, at, true) : undefined;
}

async function setupOf(
  { l1, settings, l1Token }: EarlierSearch,
  firstNonce: number,
  isDevelopment: boolean,
): Promise<EarlierSetup | undefined> {
  // The verifier's address does not affect the comparison below.
  const verifier = settings.production?.verifier ?? settings.l1Deployer;
  const production = isDevelopment
    ? null
    : (settings.production ?? { verifier, l1Multisig: verifier, l2Multisig: 0n });
  const plans = [false, true].map((hasGenesis) =>
    makePlan({ settings: { ...settings, production }, firstNonce, l1Token, hasGenesis }),
  );
  const [first] = plans;
  if (first === undefined) return undefined;
  const read = { address: first.l1.core, contract: "CoreContract", args: [] } as const;
  const config = await l1.read({ ...read, functionName: "configHash" });
  if (config === undefined || config === 0n) {
    return { plan: first, isDevelopment, isInitialized: false };
  }
  const plan = plans.find(({ configHash }) => configHash === config);
  return plan === undefined ? undefined : { plan, isDevelopment, isInitialized: true };
}

/**
 * Whether an address holds the implementation itself. A proxy gives the same `identify`, but has an
 * implementation.
 */
async function isCoreImplementation(l1: L1Account, address: Hex): Promise<boolean> {
  const name = await l1.read({
    address,
    contract: "CoreContract",
    functionName: "identify",
    args: [],
  });
  if (name !== CORE_NAME) return false;
  const behind = await l1.read({
    address,
    contract: "Proxy",
    functionName: "implementation",
    args: [],
  });
  return behind === undefined;
}

async function isVerifier(
  l1: L1Account,
  address: Hex,
  { l1Deployer }: BootstrapSettings,
): Promise<boolean> {
  const read = (functionName: string, args: readonly unknown[]): Promise<unknown> =>
    l1.read({ address, contract: "MockVerifier", functionName, args });
  const governor = await read("governor", []);
  if (typeof governor !== "string" || governor.toLowerCase() !== l1Deployer) return false;
  // Bridges also have a governor, but no operators.
  return typeof (await read("isOperator", [l1Deployer])) === "boolean";
}

function created(from: Hex, nonce: number): Hex {
  return getContractAddress({ from, nonce: BigInt(nonce) });
}
