import { quantile } from "../latency.ts";
import type { ThreadTrace, Turn } from "./thread-trace.ts";

/** A transfer as its client saw it, in microseconds of the shared clock. */
export interface Sent {
  readonly sentUs: number;
  readonly answeredUs: number;
}

/** A turn of a thread caused by a transfer, with the work that follows it. */
export interface WayTurn extends Turn {
  readonly thread: string;
  /** Microseconds of work after the turn until the thread slept, for what handlers had awaited. */
  readonly tailUs: number;
}

/** Turns of all threads while one transfer was in flight, in order. */
export interface Way extends Sent {
  readonly turns: readonly WayTurn[];
}

/** One way for each transfer that was in flight alone. */
export function waysOf(traces: readonly ThreadTrace[], sent: readonly Sent[]): readonly Way[] {
  const turns = traces.flatMap(({ thread, turns: own }) =>
    own.map((turn, i): WayTurn => {
      const next = own[i + 1];
      const gapUs = next === undefined ? 0 : next.startUs - turn.endUs;
      const cpuUs = next === undefined ? 0 : next.startCpuUs - turn.endCpuUs;
      return { ...turn, thread, tailUs: Math.max(0, Math.min(gapUs, cpuUs)) };
    }),
  );
  const inOrder = turns.toSorted((a, b) => a.startUs - b.startUs);
  return sent.map((each, i) => {
    const until = sent[i + 1]?.sentUs ?? Number.POSITIVE_INFINITY;
    const own = inOrder.filter(({ startUs }) => startUs >= each.sentUs && startUs < until);
    return { ...each, turns: own };
  });
}

/** Microseconds from sending a transfer to its response, by activity. */
export interface Account {
  readonly totalUs: number;
  /** Some thread was in a turn, or in the work after it, and on the processor. */
  readonly workUs: number;
  /** A thread was in a turn but not on the processor: the disk, a lock, the scheduler. */
  readonly blockedUs: number;
  /** No thread was in a turn: messages and bytes in transit, timers. */
  readonly betweenUs: number;
  /** Processor time of each thread until the response, and after it. */
  readonly threads: ReadonlyMap<string, { readonly beforeUs: number; readonly afterUs: number }>;
}

/** Adds up a way. */
export function accountOf({ sentUs, answeredUs, turns }: Way): Account {
  const threads = new Map<string, { beforeUs: number; afterUs: number }>();
  let busyUs = 0;
  let cpuBeforeUs = 0;
  let coveredUntil = sentUs;
  for (const { thread, startUs, endUs, startCpuUs, endCpuUs, tailUs } of turns) {
    const cpuUs = endCpuUs - startCpuUs + tailUs;
    const own = threads.get(thread) ?? { beforeUs: 0, afterUs: 0 };
    threads.set(thread, own);
    if (startUs >= answeredUs) {
      own.afterUs += cpuUs;
      continue;
    }
    own.beforeUs += cpuUs;
    const end = Math.min(answeredUs, endUs + tailUs);
    const from = Math.max(coveredUntil, startUs);
    if (end <= from) continue;
    coveredUntil = end;
    busyUs += end - from;
    const share = (end - from) / Math.max(1, endUs + tailUs - startUs);
    cpuBeforeUs += Math.min(end - from, cpuUs * share);
  }
  const totalUs = answeredUs - sentUs;
  return {
    totalUs,
    workUs: cpuBeforeUs,
    blockedUs: busyUs - cpuBeforeUs,
    betweenUs: totalUs - busyUs,
    threads,
  };
}

/** Member-wise median of all accounts, in milliseconds, as text. */
export function printedAccount(accounts: readonly Account[]): string {
  const ms = (pick: (account: Account) => number): string =>
    (quantile(accounts.map(pick), 0.5) / 1000).toFixed(2).padStart(7);
  const names = [...new Set(accounts.flatMap(({ threads }) => [...threads.keys()]))];
  return [
    `p50 of ${accounts.length} transfers, one at a time, ms`,
    `${ms((a) => a.totalUs)}  from sending to the answer`,
    `${ms((a) => a.workUs)}  a thread works`,
    `${ms((a) => a.blockedUs)}  a thread is in a turn and waits: disk, lock, scheduler`,
    `${ms((a) => a.betweenUs)}  nobody is in a turn: bytes and messages on their way, timers`,
    "processor time of each thread until the answer, and after it:",
    ...names.map((name) => {
      const of = (account: Account) => account.threads.get(name) ?? { beforeUs: 0, afterUs: 0 };
      return `${ms((a) => of(a).beforeUs)} ${ms((a) => of(a).afterUs)}  ${name}`;
    }),
  ].join("\n");
}

/** A way as text, turn by turn. */
export function printedWay({ sentUs, answeredUs, turns }: Way): string {
  const ms = (us: number): string => (us / 1000).toFixed(2).padStart(6);
  const at = (us: number): string => ms(us - sentUs);
  const lines = turns.map(
    ({ thread, label, startUs, endUs, startCpuUs, endCpuUs, tailUs, notes }) => ({
      us: startUs,
      text: `${at(startUs)} ${ms(endUs - startUs)} ${ms(endCpuUs - startCpuUs)} ${ms(tailUs)}  ${thread.padEnd(9)} ${[label, ...notes].join("; ")}`,
    }),
  );
  const answer = {
    us: answeredUs,
    text: `${at(answeredUs)} ${" ".repeat(22)}client    has the answer`,
  };
  return [
    "    at   took   work  after  thread    what",
    `  0.00 ${" ".repeat(22)}client    sends`,
    ...[...lines, answer].toSorted((a, b) => a.us - b.us).map(({ text }) => text),
  ].join("\n");
}
