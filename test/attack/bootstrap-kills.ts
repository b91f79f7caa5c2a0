import { BootstrapWorld, type BootstrapRun } from "#test/helpers/bootstrap-world.ts";
import type { Attack, AttackReport } from "./attack.ts";

/** Setup of one chain and the kills of its bootstrap. */
interface Story {
  readonly preset: string;
  readonly isDevelopment: boolean;
  readonly anvilArgs: readonly string[];
  /**
   * Number of transactions before a kill, which precedes the record of the last one; or a kill
   * after each reported step.
   */
  readonly kill: number | "step";
}

const STORIES: readonly Story[] = ["mainnet", "appchain"].flatMap((preset) =>
  [true, false].flatMap((isDevelopment) => [
    { preset, isDevelopment, anvilArgs: [], kill: 1 },
    { preset, isDevelopment, anvilArgs: [], kill: "step" as const },
    // A transaction that was sent is not in a block yet when the next run starts.
    { preset, isDevelopment, anvilArgs: ["--block-time", "1"], kill: 1 },
  ]),
);

/** Settings of a chain that is handed over. */
const PRODUCTION = {
  VERIFIER_ADDRESS: "0x000000000000000000000000000000000000abcd",
  L1_MULTISIG_ADDRESS: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  L2_MULTISIG_ADDRESS: "0x556455b8ac8bc00e0ad061d7df5458fa3c372304877663fa21d492a8d5e9435",
} as const;

/**
 * Transactions of the deployer on L1 and of the account on L2 without repetitions: on L1 contracts,
 * settings, hand-over and enrolment; on L2 the account, classes, contracts, settings and hand-over.
 */
const TRANSACTIONS = {
  development: [8 + 6 + 1, 1 + 3 + 4 + 4],
  production: [7 + 5 + 5 + 1, 1 + 3 + 4 + 4 + 2],
} as const;

/** Above the number of steps: more runs mean that the bootstrap does not finish. */
const MOST_RUNS = 60;

/**
 * Repeatedly kills the bootstrap of a chain: after each step, or when a node has a transaction that
 * is not recorded yet. At the end each planned object exists exactly once.
 */
export const BOOTSTRAP_KILLS: Attack = {
  name: "bootstrap-kills",
  about: "a bootstrap that is killed after steps and transactions repeats none of them",
  async run() {
    const reports: AttackReport[] = [];
    for (const story of STORIES) reports.push(await carryOut(story));
    return {
      held: reports.every(({ held }) => held),
      figures: reports.map(({ figures }) => figures).join("; "),
    };
  },
};

async function carryOut(story: Story): Promise<AttackReport> {
  const { preset, isDevelopment, anvilArgs, kill } = story;
  const kind = isDevelopment ? "development" : "production";
  const title = `${preset} (${kind}, ${anvilArgs.length > 0 ? "slow" : "quick"} L1, killed ${kill === "step" ? "after steps" : `every ${kill} sent`})`;
  await using world = await BootstrapWorld.start({
    preset,
    chainId: "KILLED",
    sequencerArgs: (l1Url) => [
      ...["--l1-endpoint", l1Url],
      ...["--l1-finality", "0"],
      ...["--strk-per-eth", "2500"],
    ],
    anvilArgs,
    args: isDevelopment ? ["--dev"] : [],
    environment: isDevelopment ? {} : PRODUCTION,
  });
  // Any contract may be the verifier until the first state update.
  await world.l1.client.setCode({ address: PRODUCTION.VERIFIER_ADDRESS, bytecode: "0x00" });
  const planned = await world.planned();
  // A sequencer that follows L1 requires the core contract.
  const l1 = await runToItsEnd(world, kill, ["--only", "l1"]);
  await world.startSequencer();
  const run = await runToItsEnd(world, kill, []);
  const kills = l1.kills + run.kills;
  const nonces = await world.nonces();
  if (!isDevelopment) await world.acceptOnL1(PRODUCTION.L1_MULTISIG_ADDRESS);
  const again = await world.run(["--resume"]);
  const faults = [
    ...(run.exitCode === 0 ? [] : [`it ended with ${run.exitCode}: ${run.err}`]),
    ...(same(world.addresses(), planned) ? [] : ["addresses are not as planned"]),
    ...(same(nonces, TRANSACTIONS[kind]) ? [] : [`sent ${nonces.join(" and ")} transactions`]),
    ...(again.exitCode === 0 && !again.out.includes("done in") ? [] : ["a further run does more"]),
    ...(same(await world.nonces(), nonces) ? [] : ["a further run sends more"]),
  ];
  return {
    held: faults.length === 0,
    figures: `${title}: ${kills} kills${faults.length === 0 ? "" : `, ${faults.join(", ")}`}`,
  };
}

/** Repeats runs until one finishes without being killed. */
async function runToItsEnd(
  world: BootstrapWorld,
  kill: Story["kill"],
  args: readonly string[],
): Promise<BootstrapRun & { readonly kills: number }> {
  for (let kills = 0; ; kills++) {
    const run =
      kill === "step"
        ? await world.run(args, {}, "done in")
        : await world.runKilledAtSend(kill, args);
    if (run.exitCode !== null || kills === MOST_RUNS) return { ...run, kills };
  }
}

function same(left: unknown, right: unknown): boolean {
  return Bun.deepEquals(left, right);
}
