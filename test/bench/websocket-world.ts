import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rawCall, type RunningChain } from "#test/helpers/binary.ts";
import { EventDigest, type SubscriberReport } from "./websocket-report.ts";

/** Key of the events of a transfer and its fee, of the token's class. */
export const TRANSFER_KEY = "0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9";

/** Result of a call. @throws {TypeError} if it is an error */
export async function resultOf(
  url: string,
  method: string,
  params: unknown = [],
): Promise<unknown> {
  const { result, error } = await rawCall(url, method, params);
  if (error !== undefined) throw new TypeError(`${method}: ${JSON.stringify(error)}`);
  return result;
}

/** Waits until an accepted block has a transaction. @throws {RangeError} after `maxMs` */
export async function included(url: string, hash: string, maxMs = 30_000): Promise<void> {
  const endMs = performance.now() + maxMs;
  for (;;) {
    const { result } = await rawCall(url, "starknet_getTransactionReceipt", [hash]);
    if ((result as { block_hash?: string } | undefined)?.block_hash !== undefined) return;
    if (performance.now() > endMs) throw new RangeError(`no block has ${hash}`);
    await Bun.sleep(50);
  }
}

/** Number and digest of events in blocks, from getEvents. */
export async function eventsIn(
  url: string,
  [first, last]: readonly [number, number],
  keys: readonly (readonly string[])[] = [],
): Promise<EventDigest> {
  const digest = new EventDigest();
  let token: string | undefined;
  do {
    const filter = {
      from_block: { block_number: first },
      to_block: { block_number: last },
      keys,
      chunk_size: 1_000,
      ...(token === undefined ? {} : { continuation_token: token }),
    };
    const page = (await resultOf(url, "starknet_getEvents", { filter })) as {
      events: { transaction_hash: string; event_index: number }[];
      continuation_token?: string;
    };
    for (const event of page.events) digest.add(event.transaction_hash, event.event_index);
    token = page.continuation_token;
  } while (token !== undefined);
  return digest;
}

/** A process of subscribers. */
export class Subscribers {
  readonly pid: number;
  readonly #process: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #output: AsyncIterator<Uint8Array>;

  /** @param args - of `websocket-clients.ts` */
  constructor(args: readonly (string | number)[]) {
    const file = join(import.meta.dir, "websocket-clients.ts");
    this.#process = Bun.spawn([process.execPath, file, ...args.map(String)], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    this.pid = this.#process.pid;
    this.#output = this.#process.stdout[Symbol.asyncIterator]();
  }

  /** Settles when all have subscribed. */
  async ready(): Promise<void> {
    await this.#output.next();
  }

  /** Notifications of each subscriber up to a block, once all have received it. */
  async report(block: number, events?: number): Promise<SubscriberReport[]> {
    void this.#process.stdin.write(`${block} ${events ?? ""}`.trim() + "\n");
    await this.#process.stdin.flush();
    let text = "";
    const decoder = new TextDecoder();
    for (;;) {
      const { value, done } = await this.#output.next();
      if (done === true) return JSON.parse(text) as SubscriberReport[];
      text += decoder.decode(value, { stream: true });
    }
  }
}

/** How long the main thread of a process was ready without a processor (proc(5), `schedstat`). */
function waitedMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
}

/** A client that repeatedly requests the newest block and measures the response times. */
export class Prober {
  readonly #url: string;
  readonly #pid: number;
  readonly #times: { readonly ms: number; readonly waitedMs: number }[] = [];
  readonly #onTime: (ms: number) => void;
  #isRunning = true;
  readonly #done: Promise<void>;

  /** @param onTime - called with each response time, in milliseconds */
  constructor(
    { url, pid }: Pick<RunningChain, "url" | "pid">,
    onTime: (ms: number) => void = () => undefined,
  ) {
    this.#onTime = onTime;
    this.#url = url;
    this.#pid = pid;
    this.#done = this.#run();
  }

  /** Times so far as a line of text; resets them. */
  take(): string {
    const sorted = this.#times.splice(0).sort((a, b) => a.ms - b.ms);
    const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)];
    const text = (part: number): string => (at(part)?.ms ?? Number.NaN).toFixed(1);
    const waited = (at(1)?.waitedMs ?? Number.NaN).toFixed(1);
    return `${sorted.length} calls of blockNumber, p50 ${text(0.5)} ms, p99 ${text(0.99)} ms, slowest ${text(1)} ms, of which the chain's main thread waited ${waited} ms for a processor`;
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#done;
  }

  async #run(): Promise<void> {
    while (this.#isRunning) {
      const before = waitedMs(this.#pid);
      const startedMs = performance.now();
      await resultOf(this.#url, "starknet_blockNumber");
      const ms = performance.now() - startedMs;
      this.#onTime(ms);
      this.#times.push({ ms, waitedMs: waitedMs(this.#pid) - before });
      await Bun.sleep(10);
    }
  }
}

/** Values of a metric by the text of their labels, which may be empty. */
export async function metric(chain: RunningChain, name: string): Promise<Map<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${chain.metricsPort}/metrics`)).text();
  const values = new Map<string, number>();
  for (const line of text.split("\n")) {
    const found = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (found?.[1] === name) values.set(found[2] ?? "", Number(found[3]));
  }
  return values;
}
