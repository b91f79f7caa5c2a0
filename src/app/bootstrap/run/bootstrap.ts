import { BootstrapError, ConfigError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { L1Account } from "../l1/l1-account.ts";
import { l1Token } from "../l1/l1-token.ts";
import { L2Account } from "../l2/l2-account.ts";
import { RpcNode } from "../net/json-rpc.ts";
import { type Waiting, waitFor } from "../net/wait.ts";
import { type Journal, writeJournal } from "../plan/journal.ts";
import type { BootstrapPlan } from "../plan/plan.ts";
import { begin, type Beginning, type StartingPoint } from "./begin.ts";
import { genesisStep } from "./genesis-step.ts";
import { l1Steps } from "./l1-steps.ts";
import { l2Steps } from "./l2-steps.ts";
import { handoverSteps, nativeTokenSteps } from "./last-steps.ts";
import { requirePlanned, requireRecorded } from "./recorded.ts";
import { issue, requireL1, requireL2, wrong } from "./require-chains.ts";
import type { Step } from "./step.ts";
import { summaryLines } from "./summary.ts";

/** Options of {@link Bootstrap}. */
export interface BootstrapOptions extends Beginning {
  readonly waiting: Waiting;
}

/** Progress callbacks of a bootstrap. */
export interface BootstrapReport {
  /** Called before a step is checked. */
  readonly begin: (step: Step, position: number, count: number) => void;
  readonly end: (step: Step, position: number, count: number, outcome: StepOutcome) => void;
}

/** Outcome of a step. */
export type StepOutcome =
  | { readonly kind: "exists" }
  | { readonly kind: "done"; readonly durationMs: number }
  /** Pending, and not done because this is a dry run. */
  | { readonly kind: "open" };

/** A chain to set up: its plan, and the steps towards it. */
export class Bootstrap {
  readonly #options: BootstrapOptions;
  readonly #l1: L1Account;
  readonly #l2: L2Account;
  readonly #warnings: readonly string[];
  #journal: Journal;
  readonly plan: BootstrapPlan;
  readonly steps: readonly Step[];

  private constructor(
    options: BootstrapOptions,
    accounts: { readonly l1: L1Account; readonly l2: L2Account },
    { journal, plan, warnings }: StartingPoint,
  ) {
    const { settings, waiting } = options;
    this.#options = options;
    this.#l1 = accounts.l1;
    this.#l2 = accounts.l2;
    this.#journal = journal;
    this.#warnings = warnings;
    const deps = { settings, plan, waiting, ...accounts };
    this.plan = plan;
    const onL2 = l2Steps(deps);
    const addresses = Object.assign({}, ...onL2.map((each) => each.addresses));
    this.steps = [
      ...l1Steps(deps),
      ...(plan.hasGenesis ? [genesisStep(deps, addresses)] : onL2),
      ...handoverSteps(deps),
      ...nativeTokenSteps(deps),
    ];
  }

  /**
   * Reads from L1 everything that the plan depends on. Sends and writes nothing.
   *
   * @throws {ConfigError} when L1, the token or the address file are not the expected ones
   */
  static async plan(options: BootstrapOptions): Promise<Bootstrap> {
    const { settings, addressesPath } = options;
    const { l1, l2 } = accountsOf(options);
    await requireL1(l1, settings, options.l1Token);
    const token = options.l1Token === null ? null : await l1Token(l1, options.l1Token);
    const start = await begin(options, { l1, l2 }, token);
    const bootstrap = new Bootstrap(options, { l1, l2 }, start);
    const { steps } = bootstrap;
    requirePlanned(addressesPath, start.journal, steps);
    await requireRecorded(addressesPath, start.journal, steps, "L1");
    // Fails if the plan's first nonce was used for something else, which makes the plan impossible.
    await steps[0]?.isDone();
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

  /** Returns the values that clients of the chain need once all steps are done, one per line. */
  summary(): Promise<readonly string[]> {
    const { settings } = this.#options;
    return summaryLines({ plan: this.plan, settings, l1: this.#l1, l2: this.#l2 });
  }

  /** Writes the plan to the address file, so that later runs follow it. */
  keep(): void {
    this.#save({});
  }

  /** Returns the steps of a group name or a step id. */
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

  /** Checks steps in order, and performs those that are not done. */
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

  /** Returns warnings: no ETH on L1, no fee token set, and those of the plan. */
  async warnings(): Promise<readonly string[]> {
    const { settings, l1Token: named } = this.#options;
    const warnings = [...this.#warnings];
    if ((await this.#l1.balanceWei()) === 0n) {
      warnings.push(`${settings.l1Deployer} has no ETH on L1 to pay with`);
    }
    const { production } = settings;
    if (production !== null && named === null) {
      warnings.push(
        "no token is named (--l1-fee-token): a test token is deployed, which anyone can mint",
      );
    }
    return warnings;
  }

  async #do(step: Step, isDry: boolean): Promise<StepOutcome> {
    if (await step.isDone()) {
      if (!isDry) this.#save(step.addresses);
      return { kind: "exists" };
    }
    if (isDry) return { kind: "open" };
    const startMs = performance.now();
    await step.act();
    const { waiting, settings } = this.#options;
    const isDone = await waitFor(waiting, settings.transactionWaitMs, async () =>
      (await step.isDone()) ? true : undefined,
    );
    if (isDone !== true) {
      const message = `${step.id} was done, but has no visible effect after L1_WAIT_TIME: run this again`;
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

  /** Requires the chain to be the planned one, before anything is sent. */
  async #requireL2(): Promise<void> {
    const { settings, addressesPath } = this.#options;
    await requireL2(this.#l2, settings, this.plan);
    await requireRecorded(addressesPath, this.#journal, this.steps, "L2");
    if (!this.plan.hasGenesis) return;
    const genesis = this.steps.find(({ id }) => id === "l2-genesis");
    if ((await genesis?.isDone()) === false) await genesis?.act();
  }
}

function accountsOf({ settings, waiting }: BootstrapOptions) {
  return {
    l1: new L1Account({
      node: new RpcNode({ url: settings.l1Url, name: "ETH_RPC", ...waiting }),
      chainId: settings.l1ChainId,
      key: settings.l1Key,
      transactionWaitMs: settings.transactionWaitMs,
      waiting,
    }),
    l2: new L2Account({
      node: new RpcNode({ url: settings.sequencerUrl, name: "ROLLUP_SEQ_URL", ...waiting }),
      chainId: settings.appChainId,
      key: settings.l2Key,
      publicKey: settings.l2PublicKey,
      address: settings.l2Deployer,
      transactionWaitMs: settings.transactionWaitMs,
      waiting,
    }),
  };
}
