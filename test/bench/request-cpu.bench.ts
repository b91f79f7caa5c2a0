/**
 * Prints the processor time of a running chain per request of eight read methods, for one or two
 * executables:
 *
 *     bun test/bench/request-cpu.bench.ts OLD [NEW]
 *
 * Each round starts every executable from scratch, in alternating order, sends warm-up requests and
 * reads the time of the whole process from /proc. Connections are persistent. `METHODS` in the
 * environment selects methods, separated by spaces.
 */
import { resolve } from "node:path";
import { ASYNC_SUBMISSION, rawCall, startChain } from "#test/helpers/binary.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { cpuMs, printPairs } from "./pairs.ts";

const CONNECTIONS = 32;
const WARM_UP = 10_000;
/** Maximum length of a response head. */
const HEAD_BYTES = 400;
/** Transactions of the requested block. */
const TRANSACTIONS = 20;

const [ACCOUNT, TRANSACTION] = ["ACCOUNT", "TRANSACTION"];
const BALANCE_OF = hexFromFelt(selectorFromName("balance_of"));

/**
 * Methods with number of requests and parameters; two words are placeholders for the chain's
 * values.
 */
const LOADS = [
  { method: "blockNumber", params: [], count: 60_000 },
  { method: "getStorageAt", params: [STRK, "0x1", "latest"], count: 40_000 },
  { method: "getNonce", params: ["latest", ACCOUNT], count: 40_000 },
  { method: "getClassHashAt", params: ["latest", ACCOUNT], count: 40_000 },
  { method: "getBlockWithTxs", params: [{ block_number: 1 }], count: 20_000 },
  { method: "getTransactionByHash", params: [TRANSACTION], count: 20_000 },
  { method: "getTransactionReceipt", params: [TRANSACTION], count: 20_000 },
  {
    method: "call",
    params: [
      { contract_address: STRK, entry_point_selector: BALANCE_OF, calldata: [ACCOUNT] },
      "latest",
    ],
    count: 5_000,
  },
] as const;
const wanted = process.env["METHODS"]?.split(" ");
const LOADS_WANTED = LOADS.filter(({ method }) => wanted?.includes(method) ?? true);

async function ask(port: number, body: string, count: number): Promise<void> {
  const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
  const request = Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  let sent = 0;
  const connection = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let missing = 0;
    const next = (socket: Bun.Socket): void => {
      if (sent++ < count) socket.write(request);
      else socket.end();
    };
    await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        open: next,
        data(socket, part) {
          if (missing === 0) {
            const text = part.toString("latin1", 0, HEAD_BYTES);
            const bodyAt = text.indexOf("\r\n\r\n") + 4;
            missing = bodyAt + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
          }
          missing -= part.byteLength;
          if (missing <= 0) next(socket);
        },
        close: () => resolve(),
        error: () => resolve(),
      },
    });
    await promise;
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

/** Measures an executable. @returns microseconds per request, one value per load */
async function measure(binary: string): Promise<number[]> {
  using folder = temporaryFolder();
  const chain = await startChain({
    basePath: folder.path,
    binary,
    env: ASYNC_SUBMISSION,
    args: ["--block-generation-on", "1", "--dev-accounts", String(TRANSACTIONS)],
  });
  try {
    const signed = Array.from({ length: TRANSACTIONS }, (_, i) =>
      signedTransfer("APPCHAIN_DEVNET", chain.signer(i), 0n, 0x9_0000n + BigInt(i)),
    );
    await fetch(chain.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `[${signed.map(({ body }) => body).join(",")}]`,
    });
    const hash = hexFromFelt(signed[0]?.hash ?? 0n);
    await chain.provider.waitForTransaction(hash, { retryInterval: 50 });
    await Bun.sleep(1500);
    const found: number[] = [];
    for (const { method, params, count } of LOADS_WANTED) {
      const text = JSON.stringify(params)
        .replaceAll(ACCOUNT, chain.accounts[0]?.address ?? "")
        .replaceAll(TRANSACTION, hash);
      const body = `{"jsonrpc":"2.0","id":1,"method":"starknet_${method}","params":${text}}`;
      const { error } = await rawCall(chain.url, `starknet_${method}`, JSON.parse(text));
      if (error !== undefined) throw new TypeError(`${method}: ${JSON.stringify(error)}`);
      await ask(chain.rpcPort, body, Math.min(WARM_UP, count));
      const beforeMs = cpuMs(chain.pid);
      await ask(chain.rpcPort, body, count);
      found.push(((cpuMs(chain.pid) - beforeMs) * 1000) / count);
    }
    return found;
  } finally {
    await chain.stop();
  }
}

const figures = LOADS_WANTED.map(({ method }) => `${method}, us of processor per request`);
await printPairs(process.argv.slice(2), figures, (binary) => measure(resolve(binary)));
