/**
 * Transfers at a steady rate for a long time: prints for every minute rate, response times, memory,
 * processor time and growth of the files, then the maximum rate at the end, reads every receipt,
 * stops the chain and verifies its database. Exits with 1 if a receipt or the database is wrong.
 *
 * Transfers go to fresh recipients unless their number is given: the tries grow by a level each
 * time the recipients double, and with them the cost of a transfer. The maximum rate is measured
 * while as many transfers are signed, since signing shares the cores during all minutes.
 *
 * Arguments: minutes (default 60), transfers per second (default: 90 % of the maximum, which is
 * measured first), `1000-recipients` for a fixed number of recipients, `accepted` for responses on
 * acceptance instead of receipt, and a block time (`2s`); without it blocks are made on demand.
 */
import { BINARY } from "#test/helpers/binary.ts";
import { memoryOf } from "./compare/memory-of.ts";
import { checkReceipts } from "./compare/receipts.ts";
import {
  ourServer,
  ourServerOnReceipt,
  type RunningServer,
  type Server,
  startServer,
} from "./compare/server.ts";
import { FRESH_RECIPIENTS, type PostReport } from "./compare/transfer-messages.ts";
import { TransferProcess } from "./compare/transfer-process.ts";
import { cpuMs, median } from "./pairs.ts";

const SENDERS = 256;
const CONNECTIONS = 64;
/** Transfers until all code on the way is compiled. */
const WARM_UP = 8_000;
const TOP_RATE = 8_000;
const PART_OF_TOP = 0.9;
const MINUTE_SECONDS = 60;
/** Signing rate of the next minute, relative to the posting rate. */
const SIGNING_PACE = 1.2;

/** Measurements of a minute. */
interface Minute extends PostReport {
  readonly anonymousMiB: number;
}

const words = process.argv.slice(2);
const [minutes = 60, wantedRate] = words.map(Number).filter((number) => !Number.isNaN(number));
const recipients = Number(
  words.find((word) => word.endsWith("-recipients"))?.split("-")[0] ?? FRESH_RECIPIENTS,
);
const blockTime = words.find((word) => /^\d+m?s$/.test(word));
const server = serverOf(words.includes("accepted") ? ourServer() : ourServerOnReceipt());
await using running = await startServer(server, SENDERS);
const { target, pid, accounts: senders } = running;
const { chainId } = server;

using one = new TransferProcess();
using other = new TransferProcess();
const common = { chainId, senders, recipients };
await one.signRange({ ...common, from: 0, count: WARM_UP, perSecond: 0 });
await one.post({ ...target, connections: CONNECTIONS, perSecond: 0, from: 0, count: WARM_UP });
const topRate = await topRateFrom(WARM_UP);
const rate = Math.floor(wantedRate ?? topRate * PART_OF_TOP);
console.log(`at most ${topRate.toFixed(0)} transfers/s; ${minutes} minutes at ${rate}/s`);

const perMinute = Math.ceil(rate * MINUTE_SECONDS);
let from = WARM_UP + TOP_RATE;
let [posting, signing] = [one, other];
await posting.signRange({ ...common, from, count: perMinute, perSecond: 0 });
const found: Minute[] = [];
for (let minute = 1; minute <= minutes; minute++) {
  const next = from + perMinute;
  const signed =
    minute === minutes
      ? Promise.resolve()
      : signing.signRange({
          ...{ ...common, from: next, count: perMinute },
          perSecond: rate * SIGNING_PACE,
        });
  const [bytesBefore, cpuBeforeMs] = [running.diskBytes(), cpuMs(pid)];
  const order = { ...target, from, count: perMinute, connections: CONNECTIONS, perSecond: rate };
  const report = await posting.post(order);
  const { anonymousMiB, residentMiB } = memoryOf(pid);
  found.push({ ...report, anonymousMiB });
  const bytes = (running.diskBytes() - bytesBefore) / perMinute;
  console.log(
    [
      `minute ${minute}: ${(perMinute / report.seconds).toFixed(0)}/s`,
      `p50 ${report.p50Ms.toFixed(1)} ms, p99 ${report.p99Ms.toFixed(1)} ms, most ${report.maxMs.toFixed(0)} ms`,
      `${anonymousMiB.toFixed(0)} MiB anonymous, ${residentMiB.toFixed(0)} resident`,
      `${((cpuMs(pid) - cpuBeforeMs) / perMinute).toFixed(3)} ms of processor and ${bytes.toFixed(0)} bytes each`,
    ].join("; "),
  );
  await signed;
  from = next;
  [posting, signing] = [signing, posting];
}
printTrend(found);
console.log(`at most ${(await topRateFrom(from)).toFixed(0)} transfers/s after ${from}`);
from += TOP_RATE;
const wrong = await checkReceipts(running, from, recipients);
const isSound = await checkDatabase(running);
process.exitCode = wrong === 0 && isSound ? 0 : 1;

/** The server, with a block time if one is given. */
function serverOf({ command, ...rest }: Server): Server {
  const more = blockTime === undefined ? [] : ["--block-time", blockTime];
  return { ...rest, command: (...args) => [...command(...args), ...more] };
}

/** Posts {@link TOP_RATE} transfers as fast as possible, while as many are signed. */
async function topRateFrom(first: number): Promise<number> {
  const range = { ...common, from: first, count: TOP_RATE, perSecond: 0 };
  await one.signRange(range);
  const [{ seconds }] = await Promise.all([
    one.post({ ...target, connections: CONNECTIONS, perSecond: 0, from: first, count: TOP_RATE }),
    other.signRange(range),
  ]);
  return TOP_RATE / seconds;
}

/** Compares the first third of the minutes with the last one. */
function printTrend(all: readonly Minute[]): void {
  const third = Math.max(1, Math.floor(all.length / 3));
  const ends = [all.slice(0, third), all.slice(-third)];
  const of = (pick: (minute: Minute) => number): string =>
    ends.map((part) => median(part.map(pick)).toFixed(1)).join(" -> ");
  console.log(
    `first third -> last third: p50 ${of(({ p50Ms }) => p50Ms)} ms, p99 ${of(({ p99Ms }) => p99Ms)} ms, anonymous ${of(({ anonymousMiB }) => anonymousMiB)} MiB`,
  );
}

async function checkDatabase({ folder, stop }: RunningServer): Promise<boolean> {
  await stop();
  const binary = process.env["BINARY"] ?? BINARY;
  const check = Bun.spawn([binary, "db", "check", "--base-path", folder], {
    stdout: "inherit",
    stderr: "inherit",
  });
  return (await check.exited) === 0;
}
