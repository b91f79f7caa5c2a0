/**
 * The senders of `scripts/bench-compare`, in a separate process: signs and posts transfers on order
 * ({@link TransferOrder}), until its parent exits.
 */
import { hexFromFelt } from "#base/primitives/index.ts";
import { type SignedTransfer, signedTransfer } from "#test/helpers/load.ts";
import { progress } from "./progress.ts";
import { requestBytes } from "./connection.ts";
import { type Prepared, Posting } from "./posting.ts";
import {
  type PostOrder,
  type PostReport,
  recipientOf,
  type SignOrder,
  type TransferOrder,
} from "./transfer-messages.ts";

/** Interval of checks whether all are accepted. */
const LOOK_MS = 1;
/** Signing at a steady rate resumes once it lags by this time. */
const PAUSE_MS = 5;

let senders = 1;
let firstPrepared = 0;
let prepared: Prepared[] = [];

async function sign(order: SignOrder): Promise<null> {
  const { chainId, senders: keys, from, count, recipients, perSecond } = order;
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
    const transfer = signedTransfer(chainId, signer, nonce, recipientOf(i, recipients));
    prepared.push(readyToPost(transfer));
  }
  return null;
}

function readyToPost({ hash, body }: SignedTransfer): Prepared {
  return { hash: hexFromFelt(hash), request: requestBytes(body) };
}

async function post(order: PostOrder): Promise<PostReport> {
  const posting = new Posting(order, senders, (i) => {
    const found = prepared[i - firstPrepared];
    if (found === undefined) throw new RangeError(`transfer ${i} is not signed`);
    return found;
  });
  const cpuBefore = process.cpuUsage();
  const last = await posting.run();
  const { user, system } = process.cpuUsage(cpuBefore);
  const { startedMs } = posting;
  const clientShare = (user + system) / 1000 / (performance.now() - startedMs);
  await untilAccepted(order.port, last);
  return {
    ...posting.report(),
    clientShare,
    seconds: (performance.now() - startedMs) / 1000,
  };
}

/** Waits until transfers are ACCEPTED_ON_L2. @throws TypeError if one was reverted */
async function untilAccepted(port: number, hashes: readonly string[]): Promise<void> {
  const waiting = [...hashes];
  while (waiting.length > 0) {
    const hash = waiting.at(-1) ?? "";
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
