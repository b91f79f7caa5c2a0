import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { PUBLIC_ADDRESSES, type ShippedContract } from "#protocol/config/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import { CLASSES, type ClassName } from "../l2/classes.ts";
import type { BootstrapSettings } from "../settings/read-settings.ts";
import { type BootstrapPlan, ETH_ON_L1, ETH_TEXT, firstBytes, type TokenText } from "./plan.ts";

/** A storage cell of a contract in the genesis section. */
export interface GenesisCell {
  readonly key: Felt;
  readonly value: Felt;
}

/** A contract in the genesis section. */
export interface PlannedContract {
  readonly address: Felt;
  readonly name: ClassName;
  readonly cells: readonly GenesisCell[];
}

/** Returns the L2 contracts of block 0 of a chain with a genesis section. */
export function genesisContracts(
  { l1, l2, token }: BootstrapPlan,
  { l2PublicKey, production }: Pick<BootstrapSettings, "l2PublicKey" | "production">,
): readonly PlannedContract[] {
  // Transactions are never free on such a chain, and the account has no tokens to pay for a handover.
  const governor = production === null ? l2.account : production.l2Multisig;
  const bridge = (address: Felt, l1Bridge: string, l1Token: string, l2Token: Felt) => ({
    address,
    name: "token_bridge" as const,
    cells: [
      cell(governor, "governor"),
      cell(BigInt(l1Bridge), "l1_bridge"),
      cell(l2Token, "l1_l2_token_map", BigInt(l1Token)),
      cell(BigInt(l1Token), "l2_l1_token_map", l2Token),
    ],
  });
  const tokens = bridge(l2.tokenBridge, l1.tokenBridge, l1.token, l2.nativeToken);
  const classHash = cell(CLASSES.erc20.classHash, "erc20_class_hash");
  return [
    {
      address: l2.account,
      name: "account",
      cells: [cell(l2PublicKey, "Account_public_key")],
    },
    { address: PUBLIC_ADDRESSES.universalDeployer, name: "universal_deployer", cells: [] },
    { address: PUBLIC_ADDRESSES.legacyUniversalDeployer, name: "universal_deployer", cells: [] },
    tokenContract(l2.ethToken, ETH_TEXT, l2.ethBridge),
    tokenContract(l2.nativeToken, token, l2.tokenBridge),
    bridge(l2.ethBridge, l1.ethBridge, ETH_ON_L1, l2.ethToken),
    { ...tokens, cells: [...tokens.cells, classHash] },
  ];
}

/**
 * Renders the chain configuration with which a sequencer is started in addition to a preset: chain identity
 * and genesis section. @returns YAML
 */
export function genesisFile(
  plan: BootstrapPlan,
  settings: Pick<BootstrapSettings, "appChainId" | "l2PublicKey" | "production">,
): string {
  const { l1, l2 } = plan;
  const builtins: Readonly<Record<ClassName, ShippedContract>> = {
    account: "account",
    universal_deployer: "universal_deployer",
    erc20: "erc20",
    token_bridge: "token_bridge",
  };
  const contracts = genesisContracts(plan, settings).flatMap(({ address, name, cells }) => [
    `    ${quoted(address)}:`,
    `      class: ${name}`,
    ...(cells.length === 0 ? [] : ["      storage:"]),
    ...cells.map(({ key, value }) => `        ${quoted(key)}: ${quoted(value)}`),
  ]);
  const lines = [
    "# Written by `appchain bootstrap --plan --genesis`. Pass it to --chain-config-path together with --preset.",
    `chain_id: ${JSON.stringify(settings.appChainId)}`,
    `eth_core_contract_address: ${JSON.stringify(l1.core)}`,
    `native_fee_token_address: ${quoted(l2.nativeToken)}`,
    `parent_fee_token_address: ${quoted(l2.ethToken)}`,
    "genesis:",
    "  classes:",
    ...Object.entries(builtins).map(
      ([name, builtin]) => `    - { name: ${name}, builtin: ${builtin} }`,
    ),
    "  contracts:",
    ...contracts,
  ];
  return `${lines.join("\n")}\n`;
}

function tokenContract(address: Felt, text: TokenText, minter: Felt): PlannedContract {
  return {
    address,
    name: "erc20",
    cells: [
      cell(firstBytes(text.name), "ERC20_name"),
      cell(firstBytes(text.symbol), "ERC20_symbol"),
      cell(BigInt(text.decimals), "ERC20_decimals"),
      cell(minter, "ERC20_permitted_minter"),
    ],
  };
}

function cell(value: Felt, variable: string, ...args: readonly Felt[]): GenesisCell {
  return { key: storageVariableKey(variable, ...args), value };
}

function quoted(value: Felt): string {
  return JSON.stringify(hexFromFelt(value));
}
