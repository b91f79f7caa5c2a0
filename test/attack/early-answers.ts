import { startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { HonestLoad } from "#test/helpers/honest-load.ts";
import { openSockets } from "#test/helpers/open-files.ts";
import { type Attack, type AttackReport, type AttackScale, boundMs } from "./attack.ts";
import type { Round, RoundOrder } from "./early-answers.worker.ts";

/** Deadline for silent connections to be closed; many times the usual time. */
const GONE_MS = 60_000;

/** Connections that honest clients may keep alive. */
const KEPT = 64;

/** Honest requests that take longer were blocked. */
const WAIT_MS = 5_000;

const SMALL: readonly Round[] = [
  { bodyBytes: 70_000, framing: "length", isWhole: true, areGone: false },
];

const FULL: readonly Round[] = [1_000, 70_000, 300_000, 2_000_000].flatMap((bodyBytes) =>
  (["length", "chunks", "expects"] as const).flatMap((framing) => [
    { bodyBytes, framing, isWhole: true, areGone: false },
    { bodyBytes, framing, isWhole: false, areGone: true },
  ]),
);

/** Requests with unwanted bodies, on the maximum number of connections. */
export const EARLY_ANSWERS: Attack = {
  name: "early-answers",
  about: "1000 connections with bodies after early responses occupy no connection slots",
  async run(scale: AttackScale): Promise<AttackReport> {
    using folder = temporaryFolder();
    const chain = await startChain({ basePath: folder.path, args: ["--log-level", "warn"] });
    const before = openSockets(chain.pid);
    const honest = new HonestLoad(chain, { chainId: "APPCHAIN_DEVNET", transfersPerSecond: 5 });
    honest.start();
    const waitMs = boundMs(scale, WAIT_MS);
    try {
      for (const round of scale === "small" ? SMALL : FULL) await attack(chain.rpcPort, round);
      await Bun.sleep(1_000);
      const { slowestMs, answers, errors } = await honest.stop();
      const slowest = Math.max(...Object.values(slowestMs));
      const answered = Object.values(answers).reduce((sum, count) => sum + count, 0);
      const left = await socketsLeft(chain.pid, before);
      const held = errors.length === 0 && slowest < waitMs && left <= 0;
      const figures = `${answered} honest answers, the slowest in ${slowest.toFixed(0)} ms, ${errors.length} errors ${errors[0] ?? ""}; ${left} sockets left`;
      return { held, figures };
    } finally {
      await honest.stop();
      await chain.stop("SIGKILL");
    }
  },
};

/** Runs the attack in a separate thread, so that its own work does not delay honest clients. */
async function attack(port: number, round: Round): Promise<void> {
  const worker = new Worker(new URL("early-answers.worker.ts", import.meta.url));
  const over = new Promise<void>((resolve) => {
    worker.onmessage = () => resolve();
  });
  worker.postMessage({ port, round } satisfies RoundOrder);
  await over;
  worker.terminate();
}

/** Number of additional sockets of the process, once it is stable. */
async function socketsLeft(pid: number, before: number): Promise<number> {
  const deadline = performance.now() + GONE_MS;
  while (openSockets(pid) > before + KEPT && performance.now() < deadline) await Bun.sleep(100);
  return Math.max(0, openSockets(pid) - before - KEPT);
}
