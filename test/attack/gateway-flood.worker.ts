import { gzipSync } from "node:zlib";
import { selectorFromName } from "#protocol/crypto/index.ts";
import {
  addTransaction,
  gatewaySierra,
  signedForGateway,
  strkTransfer,
  undeclaredAccount,
} from "#test/helpers/gateway-sends.ts";
import type { Signer } from "#test/helpers/load.ts";
import { RawConnection } from "#test/helpers/raw-http.ts";

/** Kinds of floods of a gateway. */
export type GatewayFlood =
  "transfers" | "bombs" | "long bodies" | "declarations" | "long answers" | "connections";

/** Order for this thread; it floods until it is terminated. */
export interface GatewayFloodOrder {
  readonly kind: GatewayFlood;
  readonly url: string;
  readonly port: number;
  readonly chainId: string;
  /** Decompressed size of a bomb. */
  readonly bombBytes: number;
  /** Accounts that sign, used by nothing else. */
  readonly signers: readonly Signer[];
}

/** Periodic report of this thread: number of responses per status since the last one. */
export type GatewayFloodCounts = Readonly<Record<string, number>>;

const TRANSFERS_PER_SECOND = 200;
const AT_ONCE = 16;
const REPORT_MS = 200;
const MIB = 1 << 20;

let counts: Record<string, number> = {};

setInterval(() => {
  postMessage(counts satisfies GatewayFloodCounts);
  counts = {};
}, REPORT_MS);

/** Sends a request and counts the response. */
async function send(
  url: string,
  body: object | string | Uint8Array<ArrayBuffer>,
  headers?: Readonly<Record<string, string>>,
): Promise<void> {
  const status = await addTransaction(url, body, headers).then(
    (answer) => String(answer.status),
    () => "none",
  );
  counts[status] = (counts[status] ?? 0) + 1;
}

/** Sends valid transfers at a steady rate, without waiting for responses. */
async function transfers({ url, chainId, signers }: GatewayFloodOrder): Promise<never> {
  const startedMs = performance.now();
  for (let sent = 0; ; sent++) {
    const signer = signers[sent % signers.length];
    if (signer === undefined) throw new RangeError("nobody signs");
    const nonce = BigInt(Math.floor(sent / signers.length));
    void send(url, signedForGateway(signer, chainId, strkTransfer(signer, 7n, nonce)).body);
    const dueMs = startedMs + ((sent + 1) * 1_000) / TRANSFERS_PER_SECOND;
    await Bun.sleep(Math.max(0, dueMs - performance.now()));
  }
}

/** Repeats the same body, several times concurrently. */
async function again(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers?: Readonly<Record<string, string>>,
): Promise<void> {
  const one = async (): Promise<never> => {
    for (;;) await send(url, body, headers);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Declaration of a bomb as the program, with a valid nonce and an invalid signature. */
function declaration({ signers: [signer] }: GatewayFloodOrder): string {
  if (signer === undefined) throw new RangeError("nobody signs");
  const { sierra, declare } = undeclaredAccount("[]");
  const sierra_program = gzipSync(new Uint8Array(64 * MIB)).toString("base64");
  const contractClass = { ...gatewaySierra(sierra), sierra_program };
  const unsigned = declare(signer.address, 0n);
  return JSON.stringify(signedForGateway(signer, "OTHER", unsigned, contractClass).body);
}

/** Requests that take query threads longest, each in more variants than the cache holds. */
async function longAnswers({ url, signers }: GatewayFloodOrder): Promise<void> {
  const feeder = `${url}/feeder_gateway`;
  const account = `0x${(signers[0]?.address ?? 0n).toString(16)}`;
  const classHash = (await (
    await fetch(`${feeder}/get_class_hash_at?contractAddress=${account}`)
  ).json()) as string;
  const packed = { "accept-encoding": "gzip, br" };
  const tags = Array.from({ length: 500 }, (_, i) => `W/"${i}"`).join();
  const blocksOf = (i: number): string => `blockNumber=${i % 64}`;
  const questions: ((i: number) => Promise<Response>)[] = [
    (i) => fetch(`${feeder}/get_block_traces?${blocksOf(i)}`),
    (i) => fetch(`${feeder}/get_block_bouncer_weights?${blocksOf(i)}`),
    (i) =>
      fetch(
        `${feeder}/get_state_update?includeBlock=true&blockNumber=${"0".repeat(i % 50)}${i % 64}`,
        { headers: packed },
      ),
    (i) =>
      fetch(`${feeder}/get_class_by_hash?classHash=${classHash}&${blocksOf(i)}`, {
        headers: packed,
      }),
    (i) =>
      fetch(`${feeder}/get_compiled_class_by_class_hash?classHash=${classHash}&${blocksOf(i)}`),
    () => fetch(`${feeder}/get_preconfirmed_block?blockNumber=latest`, { headers: packed }),
    () => fetch(`${feeder}/get_block`, { headers: { "if-none-match": tags } }),
    (i) =>
      fetch(`${feeder}/call_contract`, {
        method: "POST",
        body: JSON.stringify({
          contract_address: account,
          entry_point_selector: String(selectorFromName("isValidSignature")),
          calldata: [String(i), "2", "1", "1"],
        }),
      }),
  ];
  let asked = 0;
  const one = async (): Promise<never> => {
    for (;;) {
      const i = asked++;
      const status = await (questions[i % questions.length] as (typeof questions)[0])(i).then(
        async (answer) => (await answer.arrayBuffer(), String(answer.status)),
        () => "none",
      );
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** More connections than slots, each with an unfinished request. */
async function connections({ port }: GatewayFloodOrder): Promise<void> {
  const opened: RawConnection[] = [];
  for (let i = 0; i < 1_200; i++) {
    const connection = await RawConnection.open(port).catch(() => undefined);
    connection?.send("POST /gateway/add_transaction HTTP/1.1\r\nhost: localhost\r\n");
    if (connection !== undefined) opened.push(connection);
  }
  counts["opened"] = opened.length;
}

function flood(order: GatewayFloodOrder): Promise<void> {
  const { kind, url, bombBytes } = order;
  switch (kind) {
    case "transfers":
      return transfers(order);
    case "bombs": {
      const bomb = new Uint8Array(gzipSync(new Uint8Array(bombBytes)));
      return again(url, bomb, { "content-encoding": "gzip" });
    }
    case "long bodies":
      return again(url, `{"type":"INVOKE","a":[${'"0x1",'.repeat(240_000)}"0x1"]}`);
    case "declarations":
      return again(url, declaration(order));
    case "long answers":
      return longAnswers(order);
    case "connections":
      return connections(order);
  }
}

declare const self: Worker;
self.onmessage = ({ data }: MessageEvent<GatewayFloodOrder>) => void flood(data);
