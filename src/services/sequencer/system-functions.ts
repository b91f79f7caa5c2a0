import type { MutableStateDiff } from "#protocol/chain/index.ts";
import { type ChainConfig, PUBLIC_ADDRESSES } from "#protocol/config/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import type { ConfigIssue } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ReadGenesisClass } from "./genesis-class.ts";

/**
 * Mint functions callable by the permitted minter of a fee token, in order of preference. All take the
 * recipient and a u256. The first two are those of StarkGate's tokens of Cairo 1 and Cairo 0.
 */
export const MINT_FUNCTIONS = ["permissioned_mint", "permissionedMint", "mint"] as const;

/** Functions that a class needs: at least one of each inner list. */
type Needs = readonly (readonly string[])[];

const TOKEN: Needs = [["transfer"], MINT_FUNCTIONS];
const ACCOUNT: Needs = [["__validate__"], ["__execute__"]];

/** Names of genesis classes whose contracts sign transactions. */
const ACCOUNT_CLASSES: ReadonlySet<string> = new Set(["account", "faucet_account"]);

/**
 * Reports classes from files that lack a function called by a development chain, or by tools at a public
 * address.
 *
 * @param classes - of the genesis section
 * @param diff - with the section's contracts
 */
export function lackingFunctions(
  config: ChainConfig,
  classes: readonly ReadGenesisClass[],
  { deployedContracts }: Pick<MutableStateDiff, "deployedContracts">,
): readonly ConfigIssue[] {
  const byHash = new Map(classes.map((each) => [each.bundled.classHash, each]));
  const contracts: readonly (readonly [address: Felt, what: string, needs: Needs])[] = [
    [config.nativeFeeTokenAddress, "a fee token", TOKEN],
    [config.parentFeeTokenAddress, "a fee token", TOKEN],
    [
      PUBLIC_ADDRESSES.universalDeployer,
      "the universal deployer at this address",
      [["deploy_contract"]],
    ],
    [
      PUBLIC_ADDRESSES.legacyUniversalDeployer,
      "the universal deployer at this address",
      [["deployContract"]],
    ],
  ];
  const ofContracts = contracts.flatMap(([address, what, needs]) => {
    const used = byHash.get(deployedContracts.get(address) ?? 0n);
    const path = `genesis.contracts.${hexFromFelt(address)}.class`;
    return used === undefined ? [] : issuesOf(used, path, what, needs);
  });
  const ofAccounts = classes.flatMap((each, i) =>
    ACCOUNT_CLASSES.has(each.name)
      ? issuesOf(each, `genesis.classes[${i}]`, "an account", ACCOUNT)
      : [],
  );
  return [...ofContracts, ...ofAccounts];
}

function issuesOf(
  { source, functions }: ReadGenesisClass,
  path: string,
  what: string,
  needs: Needs,
): readonly ConfigIssue[] {
  if (source.kind === "builtin") return [];
  return needs
    .filter((names) => !names.some((name) => functions.has(selectorFromName(name))))
    .map((names) => ({
      path,
      line: 0,
      message: `${source.sierraPath} cannot be the class of ${what}: it has no external function ${names.join(" or ")}`,
    }));
}
