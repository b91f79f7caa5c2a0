import { getContractAddress } from "viem/utils";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { contractAddress } from "#protocol/chain/index.ts";
import { PUBLIC_ADDRESSES } from "#protocol/config/index.ts";
import { pedersenArray } from "#protocol/crypto/index.ts";
import { CLASSES } from "../l2/classes.ts";
import type { BootstrapSettings } from "../settings/read-settings.ts";
import type { Hex } from "../settings/forms.ts";

/** L1 contracts in deployment order: each uses one nonce of the deployer. */
export const L1_DEPLOYMENTS = [
  "verifier",
  "coreImplementation",
  "core",
  "ethBridge",
  "tokenManager",
  "tokenRegistry",
  "tokenBridge",
  "token",
] as const;

/** Name of an L1 contract that the bootstrap deploys. */
export type L1PlanName = (typeof L1_DEPLOYMENTS)[number];

/** Name, symbol and decimals of a token. */
export interface TokenText {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** All addresses of a chain, computed before anything is deployed. */
export interface BootstrapPlan {
  /** Deployer nonce on L1 of the first deployment. */
  readonly firstNonce: number;
  /** Nonces of the L1 deployments; contracts that exist already have none. */
  readonly l1Nonces: Readonly<Partial<Record<L1PlanName, number>>>;
  readonly l1: Readonly<Record<L1PlanName, Hex>>;
  /** Name, symbol and decimals of the native token. */
  readonly token: TokenText;
  /** Whether the L2 contracts are in the chain's genesis section. */
  readonly hasGenesis: boolean;
  readonly l2: {
    readonly account: Felt;
    readonly universalDeployer: Felt;
    readonly ethBridge: Felt;
    readonly ethToken: Felt;
    readonly tokenBridge: Felt;
    readonly nativeToken: Felt;
  };
  readonly l2Calldata: { readonly bridge: readonly Felt[]; readonly ethToken: readonly Felt[] };
  readonly configHash: Felt;
}

/** Inputs of {@link makePlan}. */
export interface PlanInputs {
  readonly settings: Pick<
    BootstrapSettings,
    "appChainId" | "configHashVersion" | "l1Deployer" | "l2Deployer" | "production"
  >;
  readonly firstNonce: number;
  /** The L1 token whose L2 counterpart is the native token; `null` deploys a test token. */
  readonly l1Token: (TokenText & { readonly address: Hex }) | null;
  /**
   * Whether the L2 contracts are in the chain's genesis section, with tokens and deployer at the public
   * addresses.
   */
  readonly hasGenesis: boolean;
}

/** L1 token address that means ETH in messages of the ETH bridge: the text "ETH". */
export const ETH_ON_L1: Hex = "0x0000000000000000000000000000000000455448";

/** The test token, deployed on L1 when no token is set. */
export const TEST_TOKEN: TokenText = { name: "Appchain Fee Token", symbol: "FEE", decimals: 18 };

/** Properties of ETH on L2. */
export const ETH_TEXT: TokenText = { name: "Ether", symbol: "ETH", decimals: 18 };

/** Salts of contracts deployed by the universal deployer, independent of the caller. */
export const SALTS = {
  universalDeployer: 0n,
  ethBridge: feltFromShortString("eth_bridge"),
  ethToken: feltFromShortString("eth_token"),
  tokenBridge: feltFromShortString("token_bridge"),
} as const;

/**
 * Computes all addresses: on L1 from the deployer's nonces, on L2 from deployer, salt, class and calldata.
 */
export function makePlan({ settings, firstNonce, l1Token, hasGenesis }: PlanInputs): BootstrapPlan {
  const { l1Deployer, l2Deployer, production } = settings;
  const there: Readonly<Partial<Record<L1PlanName, Hex>>> = {
    ...(production === null ? {} : { verifier: production.verifier }),
    ...(l1Token === null ? {} : { token: l1Token.address }),
  };
  const deployed = L1_DEPLOYMENTS.filter((name) => there[name] === undefined);
  const l1Nonces = Object.fromEntries(deployed.map((name, i) => [name, firstNonce + i]));
  const l1 = Object.fromEntries(
    L1_DEPLOYMENTS.map((name) => [name, there[name] ?? created(l1Deployer, l1Nonces[name] ?? 0)]),
  ) as Record<L1PlanName, Hex>;
  const bridge = [l2Deployer];
  const ethBridge = contractAddress(0n, SALTS.ethBridge, CLASSES.token_bridge.classHash, bridge);
  const tokenBridge = contractAddress(
    0n,
    SALTS.tokenBridge,
    CLASSES.token_bridge.classHash,
    bridge,
  );
  const ethToken = tokenCalldata(ETH_TEXT, ethBridge);
  const token = l1Token ?? TEST_TOKEN;
  const l2 = {
    account: l2Deployer,
    ethBridge,
    tokenBridge,
    ...(hasGenesis
      ? PUBLIC_ADDRESSES
      : deployedTokens({ ethToken, l1Token: l1.token, token, tokenBridge })),
  };
  return {
    firstNonce,
    l1Nonces,
    l1,
    token,
    hasGenesis,
    l2,
    l2Calldata: { bridge, ethToken },
    configHash: configHash(settings, l2.nativeToken),
  };
}

/** Computes the addresses of contracts deployed by transactions, and by the message from L1. */
function deployedTokens(of: {
  readonly ethToken: readonly Felt[];
  readonly l1Token: Hex;
  readonly token: TokenText;
  readonly tokenBridge: Felt;
}) {
  const { erc20, universal_deployer: deployer } = CLASSES;
  const { ethToken, l1Token, token, tokenBridge } = of;
  const calldata = tokenCalldata(token, tokenBridge);
  return {
    universalDeployer: contractAddress(0n, SALTS.universalDeployer, deployer.classHash, []),
    ethToken: contractAddress(0n, SALTS.ethToken, erc20.classHash, ethToken),
    nativeToken: contractAddress(tokenBridge, BigInt(l1Token), erc20.classHash, calldata),
  };
}

/**
 * Computes a digest over all addresses of a plan. It changes with deployer, nonce, token, or the
 * shipped classes.
 *
 * @returns 0x and 64 hexadecimal digits
 */
export function planDigest({ l1, l2, configHash: config }: BootstrapPlan): string {
  const words = [...Object.values(l1).map(BigInt), ...Object.values(l2), config];
  return hex(pedersenArray(words));
}

/**
 * Computes the OS configuration hash that the core contract checks outputs against.
 *
 * Source: Madara's bootstrapper; Pedersen of version, chain id and fee token.
 */
export function configHash(
  { configHashVersion, appChainId }: Pick<BootstrapSettings, "configHashVersion" | "appChainId">,
  nativeToken: Felt,
): Felt {
  return pedersenArray([
    feltFromShortString(configHashVersion),
    feltFromShortString(appChainId),
    nativeToken,
  ]);
}

/** Renders the option with which a sequencer of the chain must be started. */
export function overrideLine({ l1, l2 }: BootstrapPlan, appChainId: string): string {
  const fields = [
    `chain_id=${appChainId}`,
    `eth_core_contract_address=${l1.core}`,
    `native_fee_token_address=${hex(l2.nativeToken)}`,
    `parent_fee_token_address=${hex(l2.ethToken)}`,
  ];
  return `--chain-config-override ${fields.join(",")}`;
}

/**
 * Constructor calldata: name, symbol, decimals, no initial supply for the bridge, and the bridge as minter.
 */
function tokenCalldata({ name, symbol, decimals }: TokenText, bridge: Felt): readonly Felt[] {
  return [firstBytes(name), firstBytes(symbol), BigInt(decimals), 0n, 0n, bridge, bridge];
}

/** Encodes the first 31 bytes of a text as a felt, as the L1 bridge does. */
export function firstBytes(text: string): Felt {
  const bytes = new TextEncoder().encode(text).subarray(0, 31);
  return bytes.reduce((felt, byte) => (felt << 8n) | BigInt(byte), 0n);
}

function created(from: Hex, nonce: number): Hex {
  return getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase() as Hex;
}

function hex(value: Felt): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
