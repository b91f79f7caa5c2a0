import { BootstrapError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { CLASSES, type ClassName } from "../l2/classes.ts";
import type { L2Account } from "../l2/l2-account.ts";
import type { L2Call } from "../l2/l2-reader.ts";
import { type BootstrapPlan, ETH_ON_L1, SALTS } from "../plan/plan.ts";
import type { Step, StepGroup } from "./step.ts";

/** Dependencies of the steps on L2. */
export interface L2StepsDeps {
  readonly plan: BootstrapPlan;
  readonly l2: L2Account;
}

/** Returns the steps on L2 up to bridges that are ready for messages; none of them costs a fee. */
export function l2Steps(deps: L2StepsDeps): readonly Step[] {
  const { plan, l2 } = deps;
  const { account, universalDeployer, ethBridge, ethToken, tokenBridge } = plan.l2;
  const { bridge } = plan.l2Calldata;
  const declare = (name: ClassName, key: string, title: string): Step => ({
    ...step(`l2-${name.replaceAll("_", "-")}-class`, `L2: class of ${title}`, "l2", {
      [key]: hexFromFelt(CLASSES[name].classHash),
    }),
    isDone: () => l2.isDeclared(name),
    act: () => l2.declare(name),
  });
  return [
    {
      ...declare("account", "oz_account_class_hash", "the account, unsigned"),
      act: () => l2.declareUnsigned("account"),
    },
    deployed(l2, "account", {
      ...step("l2-account", "L2: account of ROLLUP_PRIV_KEY", "l2", {
        account_address: hexFromFelt(account),
      }),
      address: account,
      act: () => l2.deployAccount(),
    }),
    declare("universal_deployer", "udc_class_hash", "the universal deployer"),
    deployed(l2, "universal_deployer", {
      ...step("l2-universal-deployer", "L2: universal deployer", "l2", {
        udc_address: hexFromFelt(universalDeployer),
      }),
      address: universalDeployer,
      act: () =>
        l2.invoke({
          address: account,
          functionName: "deploy_contract",
          calldata: deployCalldata("universal_deployer", SALTS.universalDeployer, 1n, []),
        }),
    }),
    declare("erc20", "erc20_cairo_one_class_hash", "tokens"),
    declare("token_bridge", "L2_token_bridge_class_hash", "bridges"),
    byDeployer(deps, "token_bridge", SALTS.ethBridge, bridge, {
      ...step("l2-eth-bridge", "L2: bridge for ETH", "l2", {
        ETH_l2_bridge_address: hexFromFelt(ethBridge),
        ETH_l2_bridge_address_proxy: hexFromFelt(ethBridge),
      }),
      address: ethBridge,
    }),
    byDeployer(deps, "erc20", SALTS.ethToken, plan.l2Calldata.ethToken, {
      ...step("l2-eth-token", "L2: ETH, the parent fee token", "l2", {
        l2_eth_address_proxy: hexFromFelt(ethToken),
      }),
      address: ethToken,
    }),
    byDeployer(deps, "token_bridge", SALTS.tokenBridge, bridge, {
      ...step("l2-token-bridge", "L2: bridge for tokens", "l2", {
        ERC20_l2_bridge_address: hexFromFelt(tokenBridge),
      }),
      address: tokenBridge,
    }),
    ...settingSteps(deps),
  ];
}

function settingSteps({ plan, l2 }: L2StepsDeps): readonly Step[] {
  const { ethBridge, ethToken, tokenBridge } = plan.l2;
  const eth = BigInt(ETH_ON_L1);
  const counterpart = (id: string, title: string, address: Felt, l1Bridge: string): Step =>
    callStep(l2, {
      ...step(id, title, "l2"),
      call: { address, functionName: "set_l1_bridge", calldata: [BigInt(l1Bridge)] },
      shows: { address, functionName: "get_l1_bridge", calldata: [] },
      value: BigInt(l1Bridge),
    });
  return [
    counterpart(
      "l2-eth-bridge-counterpart",
      "L2: the bridge for ETH is linked to the one on L1",
      ethBridge,
      plan.l1.ethBridge,
    ),
    callStep(l2, {
      ...step("l2-eth-bridge-token", "L2: the bridge for ETH is linked to its token", "l2"),
      call: { address: ethBridge, functionName: "set_l2_token", calldata: [eth, ethToken] },
      shows: { address: ethBridge, functionName: "get_l2_token", calldata: [eth] },
      value: ethToken,
    }),
    counterpart(
      "l2-token-bridge-counterpart",
      "L2: the bridge for tokens is linked to the one on L1",
      tokenBridge,
      plan.l1.tokenBridge,
    ),
    callStep(l2, {
      ...step("l2-token-bridge-token-class", "L2: the bridge for tokens uses their class", "l2"),
      call: {
        address: tokenBridge,
        functionName: "set_erc20_class_hash",
        calldata: [CLASSES.erc20.classHash],
      },
      shows: { address: tokenBridge, functionName: "get_erc20_class_hash", calldata: [] },
      value: CLASSES.erc20.classHash,
    }),
  ];
}

type StepTexts = Omit<Step, "isDone" | "act">;

/** Creates a step that consists of one call by the account. */
export function callStep(
  l2: L2Account,
  parts: StepTexts & { readonly call: L2Call; readonly shows: L2Call; readonly value: Felt },
): Step {
  const { call, shows, value, ...texts } = parts;
  return {
    ...texts,
    async isDone() {
      const actual = await l2.read(shows);
      return actual?.length === 1 && actual[0] === value;
    },
    act: () => l2.invoke(call),
  };
}

/**
 * Creates the descriptive part of a bootstrap step on L2: id, title, group, and entries of the
 * address file.
 */
export function step(
  id: string,
  title: string,
  group: StepGroup,
  addresses: Readonly<Record<string, string>> = {},
): StepTexts {
  return { id, title, group, needsL2: true, addresses };
}

/** Creates a step that puts a contract of a class at an address. */
export function deployed(
  l2: L2Account,
  name: ClassName,
  parts: StepTexts & Pick<Step, "act"> & { readonly address: Felt },
): Step {
  const { address, ...rest } = parts;
  return {
    ...rest,
    async isDone() {
      const found = await l2.classAt(address);
      if (found === undefined || found === CLASSES[name].classHash) return found !== undefined;
      // Only a contract that replaced its own class can differ.
      const message = `${hexFromFelt(address)} on L2 has class ${hexFromFelt(found)}, not that of ${name}`;
      throw new BootstrapError("BOOTSTRAP_OTHER_CONTRACT", message);
    },
  };
}

function byDeployer(
  { plan, l2 }: L2StepsDeps,
  name: ClassName,
  salt: Felt,
  calldata: readonly Felt[],
  parts: StepTexts & { readonly address: Felt },
): Step {
  const act = (): Promise<void> =>
    l2.invoke({
      address: plan.l2.universalDeployer,
      functionName: "deploy_contract",
      calldata: deployCalldata(name, salt, 0n, calldata),
    });
  return deployed(l2, name, { ...parts, act });
}

/**
 * Calldata: class, salt, the called contract's form of the flag, and the constructor calldata with its
 * length.
 */
function deployCalldata(
  name: ClassName,
  salt: Felt,
  flag: Felt,
  calldata: readonly Felt[],
): readonly Felt[] {
  return [CLASSES[name].classHash, salt, flag, BigInt(calldata.length), ...calldata];
}
