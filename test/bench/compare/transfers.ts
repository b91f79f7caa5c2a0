import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { progress } from "./progress.ts";
import { cpuMs } from "../pairs.ts";
import { type Results, short } from "./results.ts";
import { SENDERS } from "./rows.ts";
import { memoryOf } from "./memory-of.ts";
import { type Server, startServer } from "./server.ts";
import { TransferProcess } from "./transfer-process.ts";

const COLD = 2_560;
/** Number of warm transfers; `TRANSFERS` in the environment sets another one. */
const WARM = integerOfEnvironment("TRANSFERS") ?? 10_000;
const ALONE = 100;
const EIGHT = 400;
/** Number of transfers before memory is read. */
const MEMORY_AFTER = Math.min(5_000, COLD + ALONE + EIGHT + (WARM >> 1));
/** Number of senders for rows that do not name it. */
const MAIN_SENDERS = 64;
/** Number of senders for the row of responses on receipt. */
const RECEIPT_SENDERS = 256;

/** Figures of one run of a server on an empty chain; rates in accepted transfers per second. */
interface TransferFigures {
  readonly firstMs: number;
  readonly coldRate: number;
  readonly warmRate: number;
  /** Processor time of the server per transfer, once warm. */
  readonly processorMs: number;
  readonly aloneP50Ms: number;
  readonly eightP50Ms: number;
  readonly eightP99Ms: number;
  readonly anonymousMiB: number;
  readonly residentMiB: number;
  readonly diskBytes: number;
  /** Share of one core that the senders' process used, once warm. */
  readonly clientShare: number;
}

/** Thrown when the server reaches its memory bound. */
class MemoryBound extends RangeError {}

/** Transfers for a server, signed once for all rounds. */
class TransferLoad implements Disposable {
  readonly #process = new TransferProcess();
  readonly #server: Server;
  readonly #senders: number;
  #isSigned = false;

  constructor(server: Server, senders: number) {
    this.#server = server;
    this.#senders = Math.min(senders, server.mostAccounts);
  }

  /** Starts the server on an empty chain and measures it from its first transfer on. */
  async measure(): Promise<TransferFigures> {
    await using running = await startServer(this.#server, this.#senders);
    if (!this.#isSigned) {
      const count = COLD + WARM + ALONE + EIGHT;
      await this.#process.sign(this.#server.chainId, running.accounts, count);
      this.#isSigned = true;
    }
    const bytesBefore = running.diskBytes();
    let from = 0;
    const post = async (count: number, connections: number) => {
      const order = { ...running.target, from, count, connections, perSecond: 0 };
      const report = await this.#process.post(order);
      from += count;
      if (report.posted < count) {
        const { residentMiB } = memoryOf(running.pid);
        throw new MemoryBound(`is stopped with ${short(residentMiB)} MiB`);
      }
      return report;
    };
    // Each sender waits for its response before it sends again.
    const inFlight = this.#senders;
    const first = await post(1, 1);
    const cold = await post(COLD - 1, inFlight);
    const alone = await post(ALONE, 1);
    const eight = await post(EIGHT, 8);
    const early = await post(MEMORY_AFTER - from, inFlight);
    const { anonymousMiB, residentMiB } = memoryOf(running.pid);
    const beforeMs = cpuMs(running.pid);
    const late = await post(WARM - early.posted, inFlight);
    const processorMs = (cpuMs(running.pid) - beforeMs) / late.posted;
    await running.stop();
    return {
      firstMs: first.maxMs,
      coldRate: cold.posted / cold.seconds,
      warmRate: (early.posted + late.posted) / (early.seconds + late.seconds),
      processorMs,
      aloneP50Ms: alone.p50Ms,
      eightP50Ms: eight.p50Ms,
      eightP99Ms: eight.p99Ms,
      anonymousMiB,
      residentMiB,
      diskBytes: (running.diskBytes() - bytesBefore) / from,
      clientShare: late.clientShare,
    };
  }

  [Symbol.dispose](): void {
    this.#process[Symbol.dispose]();
  }
}

/**
 * Measures rows of transfers: every round starts each server on an empty chain, in turn, the order
 * reversed each time.
 *
 * @param onReceipt - ours with responses on receipt
 */
export async function measureTransfers(
  servers: readonly Server[],
  onReceipt: Server,
  rounds: number,
  results: Results,
): Promise<void> {
  using stack = new DisposableStack();
  const runs = [
    ...SENDERS.flatMap((senders) =>
      servers.map((server) => {
        const load = stack.use(new TransferLoad(server, senders));
        return {
          server,
          senders,
          load,
          rowsOf: (found: TransferFigures) => rowsOf(found, senders),
        };
      }),
    ),
    {
      server: onReceipt,
      senders: RECEIPT_SENDERS,
      load: stack.use(new TransferLoad(onReceipt, RECEIPT_SENDERS)),
      rowsOf: receiptRowsOf,
    },
  ];
  for (let round = 0; round < rounds; round++) {
    progress(`transfers, round ${round + 1} of ${rounds}`);
    for (const { server, senders, load, rowsOf: rows } of round % 2 === 0
      ? runs
      : runs.toReversed()) {
      try {
        const found = await load.measure();
        results.note(server.name, rows(found));
        progress(`    the senders took ${(found.clientShare * 100).toFixed(0)} % of a core`);
      } catch (error) {
        if (!(error instanceof MemoryBound)) throw error;
        results.remark(server.name, `warm-${senders}`, error.message);
      }
    }
  }
}

function rowsOf(found: TransferFigures, senders: number): Record<string, number> {
  const rates = { [`cold-${senders}`]: found.coldRate, [`warm-${senders}`]: found.warmRate };
  if (senders !== MAIN_SENDERS) return rates;
  return {
    ...rates,
    "processor-warm": found.processorMs,
    first: found.firstMs,
    "alone-p50": found.aloneP50Ms,
    "eight-p50": found.eightP50Ms,
    "eight-p99": found.eightP99Ms,
    "anonymous-5000": found.anonymousMiB,
    "resident-5000": found.residentMiB,
    // A server that keeps its chain in memory has no row of disk writes.
    ...(found.diskBytes > 0 ? { disk: found.diskBytes } : {}),
  };
}

function receiptRowsOf(found: TransferFigures): Record<string, number> {
  return {
    "receipt-first": found.firstMs,
    "receipt-cold": found.coldRate,
    "receipt-warm": found.warmRate,
    "receipt-processor": found.processorMs,
    "receipt-eight-p50": found.eightP50Ms,
    "receipt-eight-p99": found.eightP99Ms,
  };
}
