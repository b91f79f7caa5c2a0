import { expect, test } from "bun:test";
import { ExecutorHandler, MAX_VALIDATION_BYTES } from "#services/admission/executor-handler.ts";
import { encodedTransaction } from "#protocol/chain/index.ts";
import { decodeBatch, encodeBatch } from "#services/admission/batch-codec.ts";
import type { MempoolEntry } from "#services/admission/mempool/index.ts";
import { mempoolEntryOf } from "#services/admission/mempool-entry.ts";
import type { AdmissionToExecutor } from "#services/admission/messages.ts";
import type { DispatchedTransaction } from "#services/admission/requests.ts";
import { emptyDeclare, emptyDeployAccount, emptyInvoke } from "#test/helpers/mempool-world.ts";

const entry: MempoolEntry = {
  hash: 1n,
  sender: 1n,
  nonce: 0n,
  tip: 0n,
  maxL2GasPrice: 0n,
  maxFee: 0n,
  gasLimit: 0n,
  kind: "INVOKE",
  receivedAtMs: 0,
  bytes: new Uint8Array([1, 2]),
};

/** Class of every declaration, by the hash of its transaction. */
const classOf = (hash: bigint) => ({
  contractClass: Uint8Array.of(Number(hash), 9),
  casmJson: `{"code": ${hash}}`,
});

/** Handler with pending `entries`, whose execution failed `attempt - 1` times before. */
function handler(entries: MempoolEntry[], attempt = 1, coming = { count: 0 }) {
  const sent: AdmissionToExecutor[] = [];
  const transferred: unknown[] = [];
  const asked: number[] = [];
  const read: bigint[] = [];
  const handed: (DispatchedTransaction & { readonly batchesBefore: number })[] = [];
  const created = new ExecutorHandler({
    executor: {
      send(message, transfer) {
        sent.push(message);
        transferred.push(transfer);
      },
    },
    mempool: {
      take(max, rankOf) {
        asked.push(max);
        return { entries: entries.filter((waiting) => rankOf(waiting) !== null), attempt };
      },
    },
    mayExecute: ({ nonce }) => nonce === 0n,
    coming: () => coming.count,
    declaredClass(hash) {
      read.push(hash);
      return classOf(hash);
    },
    onDispatched: (more) =>
      void handed.push(...more.map((one) => ({ ...one, batchesBefore: sent.length }))),
  });
  return { handler: created, sent, transferred, asked, read, handed };
}

test("hands out the requested number of entries and transfers the bytes", () => {
  const { handler: used, sent, transferred, asked } = handler([entry, { ...entry, nonce: 1n }], 3);
  used.hand(17);
  const bytes = encodeBatch([{ transaction: entry.bytes, prevalidated: undefined }]);
  expect(sent).toEqual([{ kind: "batch", count: 1, coming: 0, attempt: 3, bytes }]);
  expect(asked).toEqual([17]);
  const [batch] = sent;
  expect(transferred).toEqual([[batch?.kind === "batch" ? batch.bytes.buffer : undefined]]);
});

test("hands out no transactions that the executor holds back", () => {
  const large = { ...entry, hash: 2n, sender: 2n, gasLimit: 10n ** 9n };
  const { handler: used, sent } = handler([entry, large]);
  const precedence = { levels: new Map([[large.sender, 1]]), isTurnOfOthers: false };
  used.hand(17, { ...precedence, holdsBackLarge: true });
  used.hand(17, { ...precedence, levels: new Map(), holdsBackLarge: true });
  expect(sent).toMatchObject([{ count: 1 }, { count: 2 }]);
});

test("keeps validations of up to 16 KiB", () => {
  expect(MAX_VALIDATION_BYTES).toBe(16 * 1024);
  for (const size of [MAX_VALIDATION_BYTES, MAX_VALIDATION_BYTES + 1]) {
    const { handler: used, sent } = handler([entry]);
    const prevalidated = new Uint8Array(size);
    used.keepValidation(entry, prevalidated);
    used.hand(1);
    const isKept = size === MAX_VALIDATION_BYTES;
    const bytes = encodeBatch([
      { transaction: entry.bytes, prevalidated: isKept ? prevalidated : undefined },
    ]);
    expect(sent).toMatchObject([{ bytes }]);
  }
});

test("wakes the executor once after an empty batch", () => {
  const waiting: MempoolEntry[] = [];
  const { handler: used, sent } = handler(waiting);
  used.wake();
  expect(sent).toEqual([]);
  used.hand(1);
  used.wake();
  used.wake();
  expect(sent.map(({ kind }) => kind)).toEqual(["batch", "wake"]);
  waiting.push(entry);
  used.hand(1);
  used.wake();
  expect(sent.map(({ kind }) => kind)).toEqual(["batch", "wake", "batch"]);
});

test("reports the number of coming transactions and wakes the executor when all have arrived", () => {
  const coming = { count: 5 };
  const { handler: used, sent } = handler([entry], 1, coming);
  used.hand(9);
  coming.count = 2;
  used.wake();
  expect(sent).toMatchObject([{ kind: "batch", count: 1, coming: 5 }]);
  coming.count = 0;
  used.wake();
  used.wake();
  expect(sent.slice(1)).toEqual([{ kind: "wake", coming: 0 }]);
});

test("wakes the executor again when all have arrived, after an early wake", () => {
  const coming = { count: 5 };
  const { handler: used, sent } = handler([], 1, coming);
  used.hand(9);
  used.wake();
  used.wake();
  coming.count = 0;
  used.wake();
  expect(sent.slice(1)).toEqual([
    { kind: "wake", coming: 5 },
    { kind: "wake", coming: 0 },
  ]);
});

test("hands out declarations with their classes, and reads only those", () => {
  const transactions = [
    emptyInvoke(1n, 0n),
    emptyDeclare(2n, 0n),
    emptyDeployAccount(3n),
    emptyDeclare(4n, 0n),
  ];
  const entries = transactions.map((transaction, i) =>
    mempoolEntryOf(encodedTransaction({ hash: BigInt(i), transaction }), 0),
  );
  const later = mempoolEntryOf(
    encodedTransaction({ hash: 9n, transaction: emptyDeclare(5n, 1n) }),
    0,
  );
  const { handler: used, sent, read } = handler([...entries, later]);
  expect(read).toEqual([]);
  used.hand(17);
  const [batch] = sent;
  const handed = decodeBatch(batch?.kind === "batch" ? batch.bytes : new Uint8Array());
  const { classHash } = emptyDeclare(1n, 0n);
  expect(handed.map(({ declared }) => declared)).toEqual([
    undefined,
    { classHash, ...classOf(1n) },
    undefined,
    { classHash, ...classOf(3n) },
  ]);
  expect(read).toEqual([1n, 3n]);
});

test("notifies watchers of each transaction before the executor gets it, and whether it had it before", () => {
  const second = { ...entry, hash: 2n };
  const waiting = [entry];
  const { handler: used, handed } = handler(waiting);
  used.hand(1);
  expect(handed).toEqual([]);
  used.watch(true);
  waiting.push(second);
  used.hand(2);
  const { bytes } = entry;
  expect(handed).toEqual([
    { hash: 1n, bytes, isAgain: true, batchesBefore: 1 },
    { hash: 2n, bytes, isAgain: false, batchesBefore: 1 },
  ]);
  used.watch(false);
  used.hand(2);
  expect(handed.length).toBe(2);
});

test("marks transactions of impersonated senders", () => {
  const { bytes } = encodedTransaction({ hash: 8n, transaction: emptyInvoke(1n, 0n) });
  const { handler: used, sent } = handler([
    { ...entry, bytes },
    { ...entry, bytes, isImpersonated: true },
  ]);
  used.hand(2);
  const [batch] = sent;
  const candidates = batch?.kind === "batch" ? decodeBatch(batch.bytes) : [];
  expect(candidates.map(({ isImpersonated }) => isImpersonated)).toEqual([undefined, true]);
});
