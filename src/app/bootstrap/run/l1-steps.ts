import { encodeAbiParameters, keccak256 } from "viem";
import { BootstrapError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { L1ContractName } from "../l1/artifacts.ts";
import type { L1Account } from "../l1/l1-account.ts";
import type { L1Call } from "../l1/l1-reader.ts";
import { type BootstrapPlan, type L1PlanName, TEST_TOKEN } from "../plan/plan.ts";
import type { BootstrapSettings } from "../settings/read-settings.ts";
import type { Hex } from "../settings/forms.ts";
import type { Step, StepGroup } from "./step.ts";

/** Dependencies of the steps on L1. */
export interface L1StepsDeps {
  readonly settings: BootstrapSettings;
  readonly plan: BootstrapPlan;
  readonly l1: L1Account;
}

/** Delay between announcing and activating a new implementation on a production chain, for its governors. */
const UPGRADE_DELAY_SECONDS = 3n * 24n * 3600n;

/** How to perform and recognize a deployment. */
interface Deployment {
  readonly contract: L1ContractName;
  readonly args: readonly unknown[];
  /** A function without arguments, and its result if the contract is the planned one. */
  readonly shows: readonly [functionName: string, value: unknown];
  readonly title: string;
  readonly names: readonly string[];
}

/** Returns the steps on L1: all contracts, then their settings. They need only addresses from L2. */
export function l1Steps(deps: L1StepsDeps): readonly Step[] {
  const { plan } = deps;
  const names = Object.keys(plan.l1Nonces) as L1PlanName[];
  return [...names.map((name) => deploymentStep(deps, name)), ...settingSteps(deps)];
}

function deploymentsOf({ settings, plan }: L1StepsDeps): Readonly<Record<L1PlanName, Deployment>> {
  const { l1Deployer, production } = settings;
  const { l1 } = plan;
  const delay = production === null ? 0n : UPGRADE_DELAY_SECONDS;
  const { name, symbol, decimals } = TEST_TOKEN;
  const deployment = (
    contract: L1ContractName,
    title: string,
    names: readonly string[],
    args: readonly unknown[],
    shows: readonly [string, unknown],
  ): Deployment => ({ contract, title, names, args, shows });
  return {
    verifier: deployment(
      "MockVerifier",
      "verifier that trusts its operators",
      ["l1_verifier_address"],
      [],
      ["governor", l1Deployer],
    ),
    coreImplementation: deployment(
      "CoreContract",
      "implementation of the core contract",
      ["l1_core_implementation_address"],
      [],
      ["identify", "appchain_CoreContract_1"],
    ),
    core: deployment(
      "Proxy",
      "core contract: its proxy",
      ["l1_core_contract_address"],
      [delay],
      ["getUpgradeActivationDelay", delay],
    ),
    ethBridge: deployment(
      "EthBridge",
      "bridge for ETH",
      ["ETH_l1_bridge_address"],
      [l1.core, l1Deployer],
      ["messagingContract", l1.core],
    ),
    tokenManager: deployment(
      "TokenManager",
      "manager of bridged tokens",
      ["ERC20_l1_manager_address"],
      [l1Deployer],
      ["nominatedGovernor", undefined],
    ),
    tokenRegistry: deployment(
      "TokenRegistry",
      "registry of bridged tokens",
      ["ERC20_l1_registry_address"],
      [l1.tokenManager],
      ["manager", l1.tokenManager],
    ),
    tokenBridge: deployment(
      "TokenBridge",
      "bridge for tokens",
      ["ERC20_l1_bridge_address"],
      [l1.core, l1.tokenManager, l1Deployer],
      ["manager", l1.tokenManager],
    ),
    token: deployment(
      "TestToken",
      "test token, which anyone can mint",
      ["l1_token_address"],
      [name, symbol, decimals],
      ["symbol", symbol],
    ),
  };
}

function deploymentStep(deps: L1StepsDeps, name: L1PlanName): Step {
  const { plan, l1, settings } = deps;
  const { contract, args, shows, title, names } = deploymentsOf(deps)[name];
  const address = plan.l1[name];
  const nonce = plan.l1Nonces[name] ?? 0;
  return {
    id: `l1-${kebab(name)}`,
    title: `L1: ${title}`,
    group: "l1",
    needsL2: false,
    addresses: Object.fromEntries(names.map((key) => [key, address])),
    async isDone() {
      const next = await l1.settledNonce();
      if (!(await l1.hasCode(address))) {
        if (next > nonce) throw nonceInUseError(nonce, settings.l1Deployer, title);
        return false;
      }
      const [functionName, value] = shows;
      const actual = await l1.read({ address, contract, functionName, args: [] });
      if (actual !== undefined && (value === undefined || sameValue(actual, value))) return true;
      throw new BootstrapError("BOOTSTRAP_OTHER_CONTRACT", `${address} on L1 is not the ${title}`);
    },
    async act() {
      const next = await l1.settledNonce();
      if (next !== nonce) {
        const message = `the deployment of the ${title} needs nonce ${nonce} of ${settings.l1Deployer}, which is at ${next}: do the steps before it first`;
        throw new BootstrapError("BOOTSTRAP_NONCE", message);
      }
      await l1.deploy(contract, args, nonce);
    },
  };
}

function nonceInUseError(nonce: number, deployer: Hex, title: string): BootstrapError {
  return new BootstrapError(
    "BOOTSTRAP_NONCE",
    `the ${title} cannot get its address: nonce ${nonce} of ${deployer} was used for something else. Move the address file away and start over; a chain that was started with its addresses must be started over, too`,
  );
}

/** Arguments for announcing and activating the implementation. */
function implementationArgs({ settings, plan }: L1StepsDeps): readonly [Hex, Hex, boolean] {
  const word = { type: "uint256" } as const;
  const data = encodeAbiParameters(
    [word, word, word, { type: "address" }, word, word, { type: "int256" }, word],
    // External initializer, program, aggregator, verifier, configuration; root, number and hash before block
    // 0.
    [0n, settings.programHash, 0n, plan.l1.verifier, plan.configHash, 0n, -1n, 0n],
  );
  return [plan.l1.coreImplementation, data, false];
}

function settingSteps(deps: L1StepsDeps): readonly Step[] {
  const { settings, plan, l1 } = deps;
  const { core, ethBridge, tokenBridge, tokenManager, tokenRegistry } = plan.l1;
  const onProxy = (functionName: string, args: readonly unknown[]): L1Call => ({
    address: core,
    contract: "Proxy",
    functionName,
    args,
  });
  const upgrade = implementationArgs(deps);
  const isTaken = async (): Promise<boolean> =>
    sameValue(await l1.read(onProxy("implementation", [])), plan.l1.coreImplementation);
  const upgradeHash = keccak256(
    encodeAbiParameters([{ type: "address" }, { type: "bytes" }, { type: "bool" }], upgrade),
  );
  const operator = settings.operator ?? (settings.production === null ? settings.l1Deployer : null);
  const bridgeStep = (name: "ethBridge" | "tokenBridge", contract: L1ContractName): Step =>
    callStep(l1, {
      id: `l1-${kebab(name)}-counterpart`,
      title: `L1: the ${name === "ethBridge" ? "bridge for ETH" : "bridge for tokens"} is linked to the one on L2`,
      call: {
        address: name === "ethBridge" ? ethBridge : tokenBridge,
        contract,
        functionName: "setL2TokenBridge",
        args: [plan.l2[name]],
      },
      shows: ["l2TokenBridge", plan.l2[name]],
    });
  return [
    {
      ...step("l1-core-announcement", "L1: the core contract's implementation is announced", "l1"),
      async isDone() {
        await l1.settledNonce();
        const enabled = await l1.read(onProxy("enabledTime", [upgradeHash]));
        return (typeof enabled === "bigint" && enabled > 0n) || (await isTaken());
      },
      act: () => l1.write(onProxy("addImplementation", upgrade), 0n),
    },
    {
      ...step("l1-core-initialization", "L1: the core contract is initialized", "l1"),
      async isDone() {
        await l1.settledNonce();
        if (!(await isTaken())) return false;
        const actual = await l1.read({
          address: core,
          contract: "CoreContract",
          functionName: "configHash",
          args: [],
        });
        if (actual === plan.configHash) return true;
        throw new BootstrapError(
          "BOOTSTRAP_OTHER_CONTRACT",
          `the core contract ${core} has another config hash than ${hexFromFelt(plan.configHash)}: APP_CHAIN_ID or SN_OS_CONFIG_HASH_VERSION were different when it was initialized`,
        );
      },
      act: () => l1.write(onProxy("upgradeTo", upgrade), 0n),
    },
    ...(operator === null ? [] : operatorSteps(deps, operator)),
    callStep(l1, {
      id: "l1-token-manager-initialization",
      title: "L1: the manager is linked to registry and bridge",
      call: {
        address: tokenManager,
        contract: "TokenManager",
        functionName: "initialize",
        args: [tokenRegistry, tokenBridge],
      },
      shows: ["getBridge", tokenBridge],
    }),
    bridgeStep("ethBridge", "EthBridge"),
    bridgeStep("tokenBridge", "TokenBridge"),
  ];
}

function operatorSteps({ settings, plan, l1 }: L1StepsDeps, operator: Hex): readonly Step[] {
  const register = (id: string, title: string, address: Hex, contract: L1ContractName): Step =>
    callStep(l1, {
      id,
      title,
      call: { address, contract, functionName: "registerOperator", args: [operator] },
      shows: ["isOperator", true, [operator]],
    });
  const steps = [
    register("l1-operator", "L1: the operator may update the state", plan.l1.core, "CoreContract"),
  ];
  if (settings.production === null && operator !== settings.l1Deployer) {
    const title = "L1: the verifier trusts the operator";
    steps.push(register("l1-verifier-operator", title, plan.l1.verifier, "MockVerifier"));
  }
  return steps;
}

/** Parts of a step that consists of one call on L1. */
export interface CallStepParts {
  readonly id: string;
  readonly title: string;
  readonly group?: StepGroup;
  readonly call: L1Call;
  /** A function, its result once the step is done, and its arguments. */
  readonly shows: readonly [functionName: string, value: unknown, args?: readonly unknown[]];
}

/** Creates a step that consists of one call on L1. */
export function callStep(l1: L1Account, parts: CallStepParts): Step {
  const { id, title, call, shows, group = "l1" } = parts;
  const [functionName, value, args = []] = shows;
  return {
    ...step(id, title, group),
    async isDone() {
      await l1.settledNonce();
      return sameValue(await l1.read({ ...call, functionName, args }), value);
    },
    act: () => l1.write(call, 0n),
  };
}

function step(id: string, title: string, group: StepGroup) {
  return { id, title, group, needsL2: false, addresses: {} };
}

/** Compares values, ignoring the case of strings such as addresses. */
function sameValue(actual: unknown, value: unknown): boolean {
  return typeof actual === "string" && typeof value === "string"
    ? actual.toLowerCase() === value.toLowerCase()
    : actual === value;
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
