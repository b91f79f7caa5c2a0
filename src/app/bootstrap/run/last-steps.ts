import { BootstrapError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { L1ContractName } from "../l1/artifacts.ts";
import type { L1Account } from "../l1/l1-account.ts";
import type { L1Call } from "../l1/l1-reader.ts";
import type { L2Account } from "../l2/l2-account.ts";
import { type Waiting, waitFor } from "../net/wait.ts";
import type { BootstrapPlan } from "../plan/plan.ts";
import type { BootstrapSettings, ProductionSettings } from "../settings/read-settings.ts";
import type { Hex } from "../settings/forms.ts";
import { callStep, deployed, step } from "./l2-steps.ts";
import type { Step } from "./step.ts";

/** Dependencies of the last steps. */
export interface LastStepsDeps {
  readonly settings: BootstrapSettings;
  readonly plan: BootstrapPlan;
  readonly l1: L1Account;
  readonly l2: L2Account;
  readonly waiting: Waiting;
}

/** Fee of the message that deploys the native token, wei. Source: Madara's bootstrapper. */
const ENROLLMENT_FEE_WEI = 10n ** 14n;

/**
 * Returns the steps that hand over both sides. The multisigs must accept themselves; until then the deployers
 * govern.
 */
export function handoverSteps(deps: LastStepsDeps): readonly Step[] {
  const { settings, plan } = deps;
  const { production } = settings;
  if (production === null) return [];
  const { core, ethBridge, tokenBridge, tokenManager } = plan.l1;
  return [
    governorStep(deps, production, "core", "core contract", "CoreContract", "starknet", core),
    governorStep(deps, production, "proxy", "core contract's proxy", "Proxy", "proxy", core),
    governedStep(deps, production, "eth-bridge", "bridge for ETH", "EthBridge", ethBridge),
    governedStep(deps, production, "token-bridge", "bridge for tokens", "TokenBridge", tokenBridge),
    governedStep(deps, production, "token-manager", "manager", "TokenManager", tokenManager),
    l2GovernorStep(deps, production, "eth-bridge", "bridge for ETH", plan.l2.ethBridge),
    l2GovernorStep(deps, production, "token-bridge", "bridge for tokens", plan.l2.tokenBridge),
  ];
}

/**
 * Step for the core contract or its proxy, whose nominee cannot be read: it simulates the acceptance instead.
 */
function governorStep(
  { l1 }: LastStepsDeps,
  { l1Multisig }: ProductionSettings,
  name: string,
  title: string,
  contract: L1ContractName,
  prefix: string,
  address: Hex,
): Step {
  const call = (functionName: string, args: readonly unknown[]): L1Call => ({
    address,
    contract,
    functionName: `${prefix}${functionName}`,
    args,
  });
  return {
    ...step(`l1-${name}-handover`, `L1: L1_MULTISIG_ADDRESS may govern the ${title}`, "handover"),
    needsL2: false,
    async isDone() {
      await l1.settledNonce();
      const isGovernor = await l1.read(call("IsGovernor", [l1Multisig]));
      return isGovernor === true || l1.wouldSucceed(call("AcceptGovernance", []), l1Multisig);
    },
    act: () => l1.write(call("NominateNewGovernor", [l1Multisig]), 0n),
  };
}

function governedStep(
  { l1 }: LastStepsDeps,
  { l1Multisig }: ProductionSettings,
  name: string,
  title: string,
  contract: L1ContractName,
  address: Hex,
): Step {
  const read = async (functionName: string): Promise<boolean> => {
    const actual = await l1.read({ address, contract, functionName, args: [] });
    return typeof actual === "string" && actual.toLowerCase() === l1Multisig;
  };
  return {
    ...step(`l1-${name}-handover`, `L1: L1_MULTISIG_ADDRESS may govern the ${title}`, "handover"),
    needsL2: false,
    async isDone() {
      await l1.settledNonce();
      return (await read("nominatedGovernor")) || (await read("governor"));
    },
    act: () =>
      l1.write({ address, contract, functionName: "nominateNewGovernor", args: [l1Multisig] }, 0n),
  };
}

function l2GovernorStep(
  { l2 }: LastStepsDeps,
  { l2Multisig }: ProductionSettings,
  name: string,
  title: string,
  address: Felt,
): Step {
  const nomination = callStep(l2, {
    ...step(`l2-${name}-handover`, `L2: L2_MULTISIG_ADDRESS may govern the ${title}`, "handover"),
    call: { address, functionName: "nominate_governor", calldata: [l2Multisig] },
    shows: { address, functionName: "nominated_governor", calldata: [] },
    value: l2Multisig,
  });
  return {
    ...nomination,
    async isDone() {
      if (await nomination.isDone()) return true;
      const actual = await l2.read({ address, functionName: "governor", calldata: [] });
      return actual?.[0] === l2Multisig;
    },
  };
}

/** Returns the steps of the native token, which come last: from its block on, transactions pay fees. */
export function nativeTokenSteps(deps: LastStepsDeps): readonly Step[] {
  const { settings, plan, l1, l2, waiting } = deps;
  const { tokenManager, tokenBridge, token } = plan.l1;
  const { nativeToken } = plan.l2;
  return [
    {
      ...step("native-token-enrollment", "L1: the native token is enrolled", "native-token"),
      async isDone() {
        await l1.settledNonce();
        const status = await l1.read({
          address: tokenBridge,
          contract: "TokenBridge",
          functionName: "getStatus",
          args: [token],
        });
        return typeof status === "number" && status > 0;
      },
      act: () =>
        l1.write(
          {
            address: tokenManager,
            contract: "TokenManager",
            functionName: "enrollTokenBridge",
            args: [token],
          },
          ENROLLMENT_FEE_WEI,
        ),
    },
    deployed(l2, "erc20", {
      ...step("native-token", "L2: the native fee token, by the message from L1", "native-token", {
        ERC20_l2_token_address_temp_test: hexFromFelt(nativeToken),
        native_fee_token_address: hexFromFelt(nativeToken),
      }),
      address: nativeToken,
      async act() {
        const isThere = await waitFor(waiting, settings.crossChainWaitMs, async () =>
          (await l2.classAt(nativeToken)) === undefined ? undefined : true,
        );
        if (isThere === true) return;
        throw new BootstrapError(
          "BOOTSTRAP_NO_MESSAGE",
          `the message that deploys the native token had no effect on L2 in CROSS_CHAIN_WAIT_TIME: was the sequencer started with --l1-endpoint, and are there enough blocks on L1 above the message (l1_messages_finality_blocks)? Run this again`,
        );
      },
    }),
  ];
}
