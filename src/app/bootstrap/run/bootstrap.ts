import { BootstrapError, ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import { L1Account } from "../l1/l1-account.ts";
import { l1Token, type NamedToken } from "../l1/l1-token.ts";
import { L2Account } from "../l2/l2-account.ts";
import { METHOD_NOT_FOUND, RpcFault, RpcNode } from "../net/json-rpc.ts";
import { type Waiting, waitFor } from "../net/wait.ts";
import {
  type BootstrapBeginning,
  type Journal,
  otherBeginning,
  readJournal,
  writeJournal,
} from "../plan/journal.ts";
import { type BootstrapPlan, makePlan } from "../plan/plan.ts";
import type { BootstrapSettings } from "../settings/read-settings.ts";
import type { Hex } from "../settings/forms.ts";
import { l1Steps } from "./l1-steps.ts";
import { l2Steps } from "./l2-steps.ts";
import { handoverSteps, nativeTokenSteps } from "./last-steps.ts";
import type { Step } from "./step.ts";

/** What a bootstrap is made with. */
export interface BootstrapOptions {
  readonly settings: BootstrapSettings;
  /** The token on L1 whose twin on L2 fees are paid with; `null`: one for tests is deployed. */
  readonly l1Token: Hex | null;
  /** The file of addresses. */
  readonly addressesPath: string;
  /** It has to be there. */
  readonly resumes: boolean;
  readonly waiting: Waiting;
}

/** What whoever runs a bootstrap is told. */
export interface BootstrapReport {
  /** Before a step is looked at. */
  readonly begin: (step: Step, position: number, count: number) => void;
  readonly end: (step: Step, position: number, count: number, outcome: StepOutcome) => void;
}

/** What became of a step. */
export type StepOutcome =
  | { readonly kind: "there" }
  | { readonly kind: "done"; readonly durationMs: number }
  /** It is to be done, and was not for this is a dry run. */
  | { readonly kind: "open" };

/** The chain on mainnet's L1, where no token for tests is deployed. */
const MAINNET = 1;

/** A chain to set up: what it is to be, and the steps to it. */
export class Bootstrap {
  readonly #options: BootstrapOptions;
  readonly #l1: L1Account;
  readonly #l2: L2Account;
  #journal: Journal;
  readonly plan: BootstrapPlan;
  readonly steps: readonly Step[];

  private constructor(
    options: BootstrapOptions,
    accounts: { readonly l1: L1Account; readonly l2: L2Account },
    journal: Journal,
    token: NamedToken | null,
  ) {
    const { settings, waiting } = options;
    this.#options = options;
    this.#l1 = accounts.l1;
    this.#l2 = accounts.l2;
    this.#journal = journal;
    const firstNonce = journal.beginning.l1_deployer_nonce;
    const plan = makePlan({ settings, firstNonce, l1Token: token });
    const deps = { settings, plan, waiting, ...accounts };
    this.plan = plan;
    this.steps = [
      ...l1Steps(deps),
      ...l2Steps(deps),
      ...handoverSteps(deps),
      ...nativeTokenSteps(deps),
    ];
  }

  /**
   * Asks L1 what the plan depends on. Nothing is sent or written.
   *
   * @throws {ConfigError} when L1, the token or the file of addresses are not those that were meant
   */
  static async plan(options: BootstrapOptions): Promise<Bootstrap> {
    const { settings, addressesPath, waiting } = options;
    const l1 = new L1Account({
      node: new RpcNode({ url: settings.l1Url, name: "ETH_RPC", ...waiting }),
      chainId: settings.l1ChainId,
      key: settings.l1Key,
      transactionWaitMs: settings.transactionWaitMs,
      waiting,
    });
    const l2 = new L2Account({
      node: new RpcNode({ url: settings.sequencerUrl, name: "ROLLUP_SEQ_URL", ...waiting }),
      chainId: settings.appChainId,
      key: settings.l2Key,
      publicKey: settings.l2PublicKey,
      address: settings.l2Deployer,
      transactionWaitMs: settings.transactionWaitMs,
      waiting,
    });
    await requireL1(l1, options);
    const ours = {
      app_chain_id: settings.appChainId,
      eth_chain_id: settings.l1ChainId,
      l1_deployer_address: settings.l1Deployer,
      l1_token_address: options.l1Token,
      is_development: settings.production === null,
    };
    const token = options.l1Token === null ? null : await l1Token(l1, options.l1Token);
    const journal = readJournal(addressesPath) ?? (await newJournal(options, l1, ours));
    const other = otherBeginning(journal.beginning, ours);
    if (other !== undefined) {
      const message = `${addressesPath} is of another bootstrap: ${other}; name another file with --addresses, or move it away`;
      throw new ConfigError(message);
    }
    const bootstrap = new Bootstrap(options, { l1, l2 }, journal, token);
    const { nativeToken } = bootstrap.plan.l2;
    const isMeant = settings.nativeFeeToken === null || settings.nativeFeeToken === nativeToken;
    if (isMeant) return bootstrap;
    throw wrong([
      issue(
        "FEE_TOKEN_ADDRESS",
        `is not the address that the native fee token gets, ${hexFromFelt(nativeToken)}`,
      ),
    ]);
  }

  /** The steps that a word names: a group, or a step. */
  chosen(only: string | null): readonly Step[] {
    if (only === null) return this.steps;
    const found = this.steps.filter(({ id, group }) => id === only || group === only);
    if (found.length > 0) return found;
    const known = [
      ...new Set(this.steps.map(({ group }) => group)),
      ...this.steps.map(({ id }) => id),
    ];
    const message = `there is no such step; known are: ${known.join(", ")}`;
    throw new ConfigError("wrong command line", [{ path: "--only", line: 0, message }]);
  }

  /** Looks at steps in their order, and does what is not done. */
  async run(steps: readonly Step[], isDry: boolean, report: BootstrapReport): Promise<void> {
    const [first] = steps;
    if (first === undefined) return;
    const before = this.steps.slice(0, this.steps.indexOf(first));
    if ([...before, ...steps].some(({ needsL2 }) => needsL2)) await this.#requireL2();
    if (!isDry) this.#save({});
    for (const step of before) {
      if (isDry || (await step.isDone())) continue;
      const message = `${step.id} comes before ${first.id} and is not done yet`;
      throw new BootstrapError("BOOTSTRAP_ORDER", message);
    }
    for (const [i, step] of steps.entries()) {
      report.begin(step, i + 1, steps.length);
      report.end(step, i + 1, steps.length, await this.#do(step, isDry));
    }
  }

  /** What L1 has to pay with, and whether what is named there is there. */
  async warnings(): Promise<readonly string[]> {
    const { settings, l1Token: named } = this.#options;
    const warnings: string[] = [];
    if ((await this.#l1.balanceWei()) === 0n) {
      warnings.push(`${settings.l1Deployer} has no ETH on L1 to pay with`);
    }
    const { production } = settings;
    if (production !== null && !(await this.#l1.hasCode(production.verifier))) {
      warnings.push("there is no contract at VERIFIER_ADDRESS: the state can never be updated");
    }
    if (production !== null && named === null) {
      warnings.push(
        "no token is named (--l1-fee-token): one for tests is deployed, which anybody may mint",
      );
    }
    return warnings;
  }

  async #do(step: Step, isDry: boolean): Promise<StepOutcome> {
    if (await step.isDone()) {
      if (!isDry) this.#save(step.addresses);
      return { kind: "there" };
    }
    if (isDry) return { kind: "open" };
    const startMs = performance.now();
    await step.act();
    const { waiting, settings } = this.#options;
    const isDone = await waitFor(waiting, settings.transactionWaitMs, async () =>
      (await step.isDone()) ? true : undefined,
    );
    if (isDone !== true) {
      const message = `${step.id} was done, and is not seen after L1_WAIT_TIME: run this again`;
      throw new BootstrapError("BOOTSTRAP_NO_EFFECT", message);
    }
    this.#save(step.addresses);
    return { kind: "done", durationMs: performance.now() - startMs };
  }

  #save(addresses: Readonly<Record<string, string>>): void {
    const { beginning, addresses: before } = this.#journal;
    this.#journal = { beginning, addresses: { ...before, ...addresses } };
    writeJournal(this.#options.addressesPath, this.#journal);
  }

  /** The chain must be the one that was planned, before anything is sent. */
  async #requireL2(): Promise<void> {
    const { settings } = this.#options;
    const issues: ConfigIssue[] = [];
    const chainId = await unlessUnknown(this.#l2.chainId());
    if (chainId === undefined) {
      throw wrong([issue("ROLLUP_SEQ_URL", "is the address of something else than a sequencer")]);
    }
    if (chainId !== feltFromShortString(settings.appChainId)) {
      issues.push(issue("APP_CHAIN_ID", "is not the chain id that the sequencer answers"));
    }
    const contracts = await this.#l2.contracts();
    if (contracts === undefined) {
      const message = "its node does not tell its fee tokens (appchain_getContractAddresses)";
      throw wrong([...issues, issue("ROLLUP_SEQ_URL", message)]);
    }
    const { l1, l2 } = this.plan;
    const expected: readonly (readonly [string, bigint, bigint])[] = [
      ["eth_core_contract_address", contracts.core, BigInt(l1.core)],
      ["native_fee_token_address", contracts.nativeFeeToken, l2.nativeToken],
      ["parent_fee_token_address", contracts.parentFeeToken, l2.ethToken],
    ];
    for (const [field, found, planned] of expected) {
      if (found === planned) continue;
      const message = `the chain was started with ${field} ${hexFromFelt(found)}, and it will be ${hexFromFelt(planned)}: start it with what --plan prints`;
      issues.push(issue("ROLLUP_SEQ_URL", message));
    }
    if (issues.length > 0) throw wrong(issues);
  }
}

async function requireL1(l1: L1Account, { settings, l1Token: named }: BootstrapOptions) {
  const issues: ConfigIssue[] = [];
  const chainId = await unlessUnknown(l1.chainId());
  if (chainId === undefined)
    issues.push(issue("ETH_RPC", "is the address of something else than L1"));
  else if (chainId !== settings.l1ChainId) {
    issues.push(issue("ETH_CHAIN_ID", "is not the chain id that the node of ETH_RPC answers"));
  }
  if (named === null && settings.production !== null && settings.l1ChainId === MAINNET) {
    issues.push(
      issue(
        "--l1-fee-token",
        "is needed on Ethereum mainnet: the token on L1 that fees are paid with",
      ),
    );
  }
  if (issues.length > 0) throw wrong(issues);
}

/** An answer; `undefined`: whoever was asked knows no such question. */
async function unlessUnknown<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof RpcFault && cause.rpcCode === METHOD_NOT_FOUND) return undefined;
    throw cause;
  }
}

async function newJournal(
  { resumes, addressesPath }: BootstrapOptions,
  l1: L1Account,
  ours: Omit<BootstrapBeginning, "l1_deployer_nonce">,
): Promise<Journal> {
  if (resumes) {
    const message = `there is no ${addressesPath} to go on with`;
    throw new ConfigError("wrong command line", [{ path: "--resume", line: 0, message }]);
  }
  return {
    beginning: { ...ours, l1_deployer_nonce: await l1.settledNonce() },
    addresses: {},
  };
}

function issue(path: string, message: string): ConfigIssue {
  return { path, line: 0, message };
}

function wrong(issues: readonly ConfigIssue[]): ConfigError {
  return new ConfigError("the settings of the bootstrap are wrong", issues);
}
