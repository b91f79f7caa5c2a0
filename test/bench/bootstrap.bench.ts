import { BootstrapWorld } from "#test/helpers/bootstrap-world.ts";

/**
 * Time to set up a chain on an L1 with blocks on demand: all steps, those on L1, those on L2, and
 * the message that deploys the native token; and the processor time of the program itself.
 */
const ROUNDS = Number(process.argv[2] ?? 3);

for (const preset of ["mainnet", "appchain"]) {
  for (let round = 0; round < ROUNDS; round++) {
    await using world = await BootstrapWorld.start({
      preset,
      chainId: "BENCH",
      sequencerArgs: (l1Url) =>
        `--l1-endpoint ${l1Url} --l1-finality 0 --strk-per-eth 2500`.split(" "),
      anvilArgs: [],
      args: ["--dev"],
      environment: {},
    });
    // A sequencer that follows L1 requires the core contract.
    const first = await timed(world, ["--only", "l1"]);
    await world.startSequencer();
    const second = await timed(world, []);
    const wholeMs = first.wholeMs + second.wholeMs;
    const cpuMs = first.cpuMs + second.cpuMs;
    const shares = [
      `L1 ${(first.wholeMs / 1000).toFixed(1)} s`,
      `L2 ${secondsOf(second.out, "l2-").toFixed(1)} s`,
      `message ${secondsOf(second.out, "native-token:").toFixed(1)} s`,
    ];
    console.log(
      `${preset}: all steps ${(wholeMs / 1000).toFixed(1)} s (${shares.join(", ")}), processor time ${(cpuMs / 1000).toFixed(1)} s`,
    );
  }
}

async function timed(world: BootstrapWorld, args: readonly string[]) {
  const startMs = performance.now();
  const run = await world.run(args);
  if (run.exitCode !== 0) throw new RangeError(run.err);
  return { ...run, wholeMs: performance.now() - startMs };
}

/** Total time of the steps whose names start with the prefix. */
function secondsOf(out: string, prefix: string): number {
  return [...out.matchAll(/done in ([\d.]+) s (\S+)/g)]
    .filter(([, , name = ""]) => name.startsWith(prefix))
    .reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}
