/**
 * The senders of `scripts/bench-compare`, a process of their own: signs transfers and posts them when
 * it is told ({@link TransferOrder}), until its parent ends.
 */
import { hexFromFelt } from "#base/primitives/index.ts";
import { type SignedTransfer, signedTransfer } from "#test/helpers/load.ts";
import { quantile } from "../latency.ts";
import { progress } from "./progress.ts";
import { Connection, requestBytes } from "./connection.ts";
import {
  FIRST_RECIPIENT,
  type PostOrder,
  type PostReport,
  type SignOrder,
  type TransferOrder,
} from "./transfer-messages.ts";

/** Between two looks at what is due, and at whether all is accepted. */
const LOOK_MS = 1;
/** Signing at a steady pace goes on as soon as it is so far behind. */
const PAUSE_MS = 5;

interface Prepared {
  readonly hash: string;
  readonly request: Buffer;
}

let senders = 1;
let firstPrepared = 0;
let prepared: Prepared[] = [];

async function sign({ chainId, senders: keys, from, count, perSecond }: SignOrder): Promise<null> {
  senders = keys.length;
  firstPrepared = from;
  prepared = [];
  const startedMs = performance.now();
  for (let i = from; i < from + count; i++) {
    const aheadMs = ((i - from) * 1000) / perSecond - (performance.now() - startedMs);
    if (perSecond > 0 && aheadMs > PAUSE_MS) await Bun.sleep(aheadMs);
    const { address = "0", privateKey = "0" } = keys[i % senders] ?? {};
    const signer = { address: BigInt(address), privateKey: BigInt(privateKey) };
    const nonce = BigInt(Math.floor(i / senders));
    const transfer = signedTransfer(chainId, signer, nonce, FIRST_RECIPIENT + BigInt(i));
    prepared.push(readyToPost(transfer));
  }
  return null;
}

function readyToPost({ hash, body }: SignedTransfer): Prepared {
  return { hash: hexFromFelt(hash), request: requestBytes(body) };
}

async function post(order: PostOrder): Promise<PostReport> {
  const { port, from, count, perSecond } = order;
  const connections = Math.min(order.connections, senders);
  const latencies = new Array<number>(count).fill(0);
  let answered = 0;
  let refused = 0;
  let error = "";
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cpuBefore = process.cpuUsage();
  let startedMs = 0;
  const dueMs = (i: number): number => (perSecond === 0 ? 0 : ((i - from) * 1000) / perSecond);
  const opened = await Promise.all(
    Array.from({ length: connections }, async (_, own) => {
      /** The transfer that is posted next, and the one whose answer is awaited; -1: none. */
      let next = nextOf(from - 1, own, connections);
      let awaited = -1;
      let sentMs = 0;
      const connection = await Connection.open(
        port,
        (body) => {
          const nowMs = performance.now();
          latencies[awaited - from] = nowMs - sentMs;
          awaited = -1;
          if (body.includes('"error":')) {
            refused++;
            error = body.toString();
          }
          if (++answered === count) resolve();
          else advance(nowMs);
        },
        () => answered < count && reject(new TypeError("the server ended a connection")),
      );
      function advance(nowMs: number): void {
        if (awaited !== -1 || next >= from + count) return;
        const due = startedMs + dueMs(next);
        if (due > nowMs) return;
        awaited = next;
        sentMs = perSecond === 0 ? nowMs : due;
        next = nextOf(next, own, connections);
        connection.send(prepared[awaited - firstPrepared]?.request ?? new Uint8Array());
      }
      return { advance, close: () => connection.close() };
    }),
  );
  startedMs = performance.now();
  const advanceAll = (): void => {
    const nowMs = performance.now();
    for (const { advance } of opened) advance(nowMs);
  };
  advanceAll();
  const timer = perSecond === 0 ? undefined : setInterval(advanceAll, LOOK_MS);
  await promise;
  clearInterval(timer);
  const postedCpu = process.cpuUsage(cpuBefore);
  const postedMs = performance.now();
  for (const { close } of opened) close();
  await untilAccepted(port, from, count);
  return {
    seconds: (performance.now() - startedMs) / 1000,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    maxMs: quantile(latencies, 1),
    refused,
    error,
    clientShare: (postedCpu.user + postedCpu.system) / 1000 / (postedMs - startedMs),
  };
}

/** The first transfer after one whose sender is a connection's. */
function nextOf(after: number, connection: number, connections: number): number {
  let i = after + 1;
  while ((i % senders) % connections !== connection) i++;
  return i;
}

/** Waits until the last transfer of each sender in a range is ACCEPTED_ON_L2 and has not been reverted. */
async function untilAccepted(port: number, from: number, count: number): Promise<void> {
  const first = Math.max(from, from + count - senders);
  const waiting = prepared.slice(first - firstPrepared, from + count - firstPrepared);
  while (waiting.length > 0) {
    const hash = waiting.at(-1)?.hash ?? "";
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "starknet_getTransactionStatus",
        params: { transaction_hash: hash },
      }),
    });
    const text = await response.text();
    if (/"REVERTED"|"REJECTED"/.test(text)) throw new TypeError(`${hash}: ${text}`);
    if (text.includes('"ACCEPTED_ON_L2"')) waiting.pop();
    else await Bun.sleep(LOOK_MS);
  }
}

process.on("message", (order: TransferOrder) => {
  void (order.kind === "sign" ? sign(order) : post(order)).then(
    (report) => process.send?.(report),
    (fault: unknown) => {
      progress(String(fault));
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit(0));
