import { ConfigError } from "#base/errors/index.ts";
import type { L1Account } from "../l1/l1-account.ts";
import type { NamedToken } from "../l1/l1-token.ts";
import type { L2Reader } from "../l2/l2-reader.ts";
import { type EarlierSetup, earlierSetups } from "../plan/earlier.ts";
import {
  type ExpectedBeginning,
  type Journal,
  otherBeginning,
  readJournal,
} from "../plan/journal.ts";
import { type BootstrapPlan, makePlan, planDigest } from "../plan/plan.ts";
import type { BootstrapSettings } from "../settings/read-settings.ts";
import type { Hex } from "../settings/forms.ts";

/** Policy for contracts that an earlier run deployed and whose address file is lost. */
export type EarlierContracts = "refuse" | "adopt" | "again";

/** Inputs of {@link begin}. */
export interface Beginning {
  readonly settings: BootstrapSettings;
  /** The L1 token set with an option; `null` without one. */
  readonly l1Token: Hex | null;
  readonly addressesPath: string;
  /** Whether the address file must exist. */
  readonly resumes: boolean;
  readonly earlier: EarlierContracts;
  /** Whether the L2 contracts should be in the genesis section. */
  readonly hasGenesis: boolean;
}

/** Plan of a bootstrap: the addresses to deploy to, and the journal of the steps that are already done. */
export interface StartingPoint {
  readonly journal: Journal;
  readonly plan: BootstrapPlan;
  readonly warnings: readonly string[];
}

/** Account on L1 and reader of L2, through which a bootstrap reads both chains at its start. */
export interface Sides {
  readonly l1: L1Account;
  readonly l2: L2Reader;
}

/**
 * Returns the plan of the address file, of contracts found on L1, or a new one. Writes nothing.
 *
 * @throws {ConfigError} when the file belongs to another chain or was edited, or when contracts of an earlier
 * run are found without `--adopt` or `--again`
 */
export async function begin(
  beginning: Beginning,
  sides: Sides,
  token: NamedToken | null,
): Promise<StartingPoint> {
  const { settings, addressesPath, l1Token, earlier, hasGenesis } = beginning;
  const ours: ExpectedBeginning = {
    app_chain_id: settings.appChainId,
    eth_chain_id: settings.l1ChainId,
    l1_deployer_address: settings.l1Deployer,
    l1_token_address: l1Token,
    is_development: settings.production === null,
    l1_genesis_hash: await sides.l1.genesisHash(),
  };
  const journal = readJournal(addressesPath);
  if (journal === undefined) return beginWithoutFile(beginning, sides, token, ours);
  const { beginning: found } = journal;
  const other = otherBeginning(found, ours);
  if (other !== undefined) throw ofAnother(addressesPath, other);
  if (hasGenesis && !found.has_genesis) throw ofAnother(addressesPath, "it has no genesis section");
  const plan = makePlan({
    settings,
    firstNonce: found.l1_deployer_nonce,
    l1Token: token,
    hasGenesis: found.has_genesis,
  });
  if (planDigest(plan) !== found.plan) {
    const message = `${addressesPath} was edited, or written by another version of this program: its plan does not match its nonce; move it away and pass --adopt`;
    throw new ConfigError(message);
  }
  const idle = earlier === "refuse" ? [] : [`--${earlier} has no effect: ${addressesPath} exists`];
  return { journal, plan, warnings: idle };
}

async function beginWithoutFile(
  { settings, addressesPath, resumes, earlier, hasGenesis }: Beginning,
  { l1, l2 }: Sides,
  l1Token: NamedToken | null,
  ours: ExpectedBeginning,
): Promise<StartingPoint> {
  if (resumes) {
    throw wrongLine("--resume", `there is no ${addressesPath} to resume`);
  }
  const nonce = await l1.settledNonce();
  const setups = earlier === "again" ? [] : await earlierSetups({ l1, settings, l1Token, nonce });
  if (setups.length > 0 && earlier === "refuse") throw notAgain(addressesPath, settings, setups);
  if (earlier === "adopt" && setups.length === 0) {
    const message = `${settings.l1Deployer} has deployed nothing for this chain on L1 that could be adopted`;
    throw wrongLine("--adopt", message);
  }
  const adopted = earlier === "adopt" ? await chosenOf(setups, settings, l2) : undefined;
  const isUnfinished = adopted === undefined || !adopted.isInitialized;
  if (!isUnfinished && hasGenesis && !adopted.plan.hasGenesis) {
    const message =
      "the contracts that are adopted were set up for a chain without a genesis section";
    throw wrongLine("--genesis", message);
  }
  const plan = makePlan({
    settings,
    firstNonce: adopted?.plan.firstNonce ?? nonce,
    l1Token,
    hasGenesis: isUnfinished ? hasGenesis : adopted.plan.hasGenesis,
  });
  return {
    journal: {
      beginning: {
        ...ours,
        l1_deployer_nonce: plan.firstNonce,
        has_genesis: plan.hasGenesis,
        plan: planDigest(plan),
      },
      addresses: {},
    },
    plan,
    warnings:
      adopted === undefined ? [] : [`adopted: the contracts of L1 with ${placeOf(adopted)}`],
  };
}

/** Of several setups, chooses the one that the sequencer was started with, or else the newest. */
async function chosenOf(
  setups: readonly EarlierSetup[],
  { production }: BootstrapSettings,
  l2: L2Reader,
): Promise<EarlierSetup> {
  const isDevelopment = production === null;
  const ours = setups.filter((setup) => setup.isDevelopment === isDevelopment);
  const [newest] = ours;
  if (newest === undefined) {
    const message = `the contracts were deployed ${isDevelopment ? "without" : "with"} --dev: run it like that`;
    throw wrongLine("--adopt", message);
  }
  if (ours.length === 1) return newest;
  const core = await l2.contracts().then(
    (contracts) => contracts?.core,
    // Without a sequencer none of them is known to be in use.
    () => undefined,
  );
  return ours.find(({ plan }) => BigInt(plan.l1.core) === core) ?? newest;
}

function notAgain(
  path: string,
  { l1Deployer, appChainId }: BootstrapSettings,
  setups: readonly EarlierSetup[],
): ConfigError {
  const places = setups.map(placeOf).join("; ");
  return new ConfigError(
    `${path} does not exist, but ${l1Deployer} has deployed contracts for ${appChainId} on L1: ${places}. Name their file with --addresses, continue with them by --adopt, or deploy others by --again`,
  );
}

function placeOf({ plan, isDevelopment, isInitialized }: EarlierSetup): string {
  const how = [
    `from nonce ${plan.firstNonce}`,
    ...(isDevelopment ? ["with --dev"] : []),
    ...(isInitialized ? [] : ["not finished"]),
  ];
  return `core contract ${plan.l1.core} (${how.join(", ")})`;
}

function ofAnother(path: string, difference: string): ConfigError {
  return new ConfigError(
    `${path} is of another bootstrap: ${difference}; name another file with --addresses, or move it away`,
  );
}

function wrongLine(path: string, message: string): ConfigError {
  return new ConfigError("wrong command line", [{ path, line: 0, message }]);
}
