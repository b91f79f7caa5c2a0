/**
 * Processor time per transfer in each part of a sequencer, all in one process; that of the
 * collector and of the compiler is included, time of other processes is not.
 *
 * Arguments: number of transfers (default 2000), accounts (default 100), transfers per block
 * (default 500), rounds before the measured one (default 1).
 */
import { PEDERSEN } from "#protocol/trie/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { type AccountTransaction, encodeUnhashed, senderAddressOf } from "#protocol/chain/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { encodePrevalidated, validateTransaction } from "#engine/execution/index.ts";
import type { MempoolEntry } from "#services/admission/mempool/index.ts";
import { decodeReceived, hashReceived } from "#services/admission/submission/received.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { prepareFolder } from "#app/node/storage/folder/prepare.ts";
import {
  chainIdFelt,
  contextFor,
  type NodeSetup,
  producerSettings,
} from "#app/node/setup/setup.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { loadSigningKey } from "#app/node/storage/folder/signing-key.ts";
import { nextBlockInfo } from "#app/node/setup/environment.ts";
import {
  decodeBatch,
  encodeBatch,
  type EncodedCandidate,
} from "#services/admission/batch-codec.ts";
import { createMethodTables } from "#api/rpc/index.ts";
import { BlockProducer, completeBlock, SYSTEM_CLOCK } from "#services/sequencer/index.ts";
import { decodePendingDelta, encodePendingDelta, PendingOverlay } from "#engine/state/index.ts";
import {
  createChainReader,
  createChainWriter,
  openDatabase,
  openMempoolStore,
} from "#io/storage/index.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { dispatcherOf, notesOf } from "#test/helpers/serving.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { UNWATCHED } from "#test/helpers/producer-source.ts";
import { ownSeed } from "#test/helpers/own-seed.ts";

const [transfers = 2000, accountCount = 100, perBlock = 500, warmUps = 1] = process.argv
  .slice(2)
  .map(Number);
const BATCH = 64;
const GROUP = 32;

const times = new Map<string, number>();

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function count(name: string, startMs: number): void {
  times.set(name, (times.get(name) ?? 0) + processorMs() - startMs);
}

function timed<T>(name: string, run: () => T): T {
  const start = processorMs();
  const result = run();
  count(name, start);
  return result;
}

using folder = temporaryFolder();
const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
const setup: NodeSetup = {
  config,
  files: nodeFiles(folder.path, null),
  chargeFees: true,
  executionMemoryBytes: 768 * 2 ** 20,
  ...ORDINARY_SETUP,
  l1Prices: fixedL1Prices(gasPriceOptions()),
};
const prepared = await prepareFolder(setup, {
  count: accountCount,
  seed: ownSeed(0n),
  balance: 10n ** 24n,
  setBy: { count: null, seed: null, balance: null },
});
const database = await openDatabase({
  path: setup.files.chainDatabase,
  chainId: config.chainId,
  mode: "writer",
  durability: "full",
});
const store = await openMempoolStore(setup.files.mempoolDatabase, config.chainId);
const chain = createChainReader(database);
const writer = createChainWriter(database);
const signingKey = loadSigningKey(setup.files.signingKey).privateKey;
const chainId = chainIdFelt(config);
const vm = createCairoVm();
const executorVm = createCairoVm();
const overlay = new PendingOverlay(chain);
const admissionOverlay = new PendingOverlay(chain);
const accounts = prepared.accounts(chain.stateAt(0));
const producer = new BlockProducer(executorVm, producerSettings(setup), {
  clock: SYSTEM_CLOCK,
  processorMs: () => 0,
  blockHash: (number) => chain.header(number)?.hash,
  l1Prices: () => setup.l1Prices,
  ...UNWATCHED,
});

let submitted: Uint8Array = new Uint8Array();
const dispatcher = dispatcherOf(
  sampleContext({
    chainId,
    submit: {
      submit(transaction: AccountTransaction) {
        submitted = encodeUnhashed(transaction);
        return Promise.resolve({ kind: "accepted", transactionHash: 1n });
      },
      declare: () => Promise.reject(new TypeError("nothing is declared here")),
    },
  }),
);
const [table] = createMethodTables();

const nonces = accounts.map(() => 0n);
let recipient = 0x10_0000_0000n;

function nextBodies(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const at = i % accounts.length;
    const signer = accounts[at];
    if (signer === undefined) throw new TypeError("there are no accounts");
    const nonce = nonces[at] ?? 0n;
    nonces[at] = nonce + 1n;
    return signedTransfer(config.chainId, signer, nonce, recipient++).body;
  });
}

async function block(bodies: readonly string[]): Promise<void> {
  const latest = chain.latestNumber() ?? 0;
  const header = chain.header(latest);
  const opened = producer.open(
    latest + 1,
    { timestamp: header?.timestamp ?? 0, l2Gas: { priceFri: 1n, gasUsed: 0n } },
    overlay.state(),
  );
  overlay.apply(opened);
  admissionOverlay.apply(opened);
  const waiting: EncodedCandidate[] = [];
  let group: MempoolEntry[] = [];
  for (const body of bodies) {
    const start = processorMs();
    await dispatcher.handle(body, table, notesOf());
    count("main: rpc", start);
    const received = submitted;
    const decoded = timed("admission: decode", () => decodeReceived(received));
    const hashed = timed("admission: hash", () => hashReceived(decoded, chainId));
    const { hash, transaction, bytes } = hashed;
    const info = admissionOverlay.newest()?.info ?? nextBlockInfo(setup, chain, Date.now());
    const outcome = timed("admission: validate", () =>
      validateTransaction(vm, admissionOverlay.state(), contextFor(setup, info), hashed),
    );
    if (outcome.kind !== "valid" || outcome.prevalidated === undefined) {
      throw new TypeError(`a transfer is ${outcome.kind}`);
    }
    const { prevalidated } = outcome;
    waiting.push({
      transaction: bytes,
      prevalidated: timed("admission: encode validation", () => encodePrevalidated(prevalidated)),
    });
    group.push({
      hash,
      sender: senderAddressOf(transaction),
      nonce: 0n,
      tip: 0n,
      maxL2GasPrice: 0n,
      maxFee: 0n,
      kind: "INVOKE",
      gasLimit: 0n,
      receivedAtMs: Date.now(),
      bytes,
    });
    if (group.length < GROUP) continue;
    const full = group;
    group = [];
    timed("admission: store (groups of 32)", () => store.put(full));
    timed("admission: remove", () => store.remove(full.map((entry) => entry.hash)));
  }
  for (let at = 0; at < waiting.length; at += BATCH) {
    const part = waiting.slice(at, at + BATCH);
    const bytes = timed("admission: encode batch", () => encodeBatch(part));
    const batch = timed("executor: decode batch", () => decodeBatch(bytes));
    const { delta, rejected, requeued } = timed("executor: execute", () => producer.execute(batch));
    if (delta === undefined || rejected.length + requeued.length > 0) {
      throw new TypeError("a transfer was not executed");
    }
    timed("executor: own overlay", () => overlay.apply(delta));
    const encoded = timed("executor: encode delta", () => encodePendingDelta(delta));
    timed("admission: decode and apply delta", () =>
      admissionOverlay.apply(decodePendingDelta(encoded)),
    );
  }
  const { draft, delta } = timed("executor: seal", () => producer.seal());
  overlay.apply(delta);
  admissionOverlay.apply(delta);
  const { info, transactions, receipts, stateDiff, classes } = draft;
  const sealed = timed("executor: encode block", () =>
    encodePendingDelta({
      blockNumber: info.number,
      sequence: 0,
      info,
      transactions,
      receipts,
      diff: stateDiff,
      classes,
      sealed: true,
    }),
  );
  const decoded = timed("committer: decode block", () => decodePendingDelta(sealed));
  const { block: complete, trie } = timed("committer: roots, commitments, hash, signature", () =>
    completeBlock({
      draft: { ...decoded, info, stateDiff: decoded.diff },
      commitments: null,
      parent: header,
      stateBefore: chain.stateAt(latest),
      tries: writer.trieStore,
      pedersen: PEDERSEN,
      signingKey,
    }),
  );
  timed("committer: store", () =>
    writer.commitBlock({
      block: complete,
      epoch: 0,
      classes: [],
      inputs: { l1Messages: [] },
      trie,
    }),
  );
  overlay.accepted(info.number);
  admissionOverlay.accepted(info.number);
}

for (let round = 0; round <= warmUps; round++) {
  const bodies = nextBodies(transfers);
  times.clear();
  for (let at = 0; at < transfers; at += perBlock) await block(bodies.slice(at, at + perBlock));
}

const lines = [...times].map(([name, ms]) => [name, ms / transfers] as const);
const threads = new Map<string, number>();
for (const [name, ms] of lines) {
  const thread = name.slice(0, name.indexOf(":"));
  threads.set(thread, (threads.get(thread) ?? 0) + ms);
}
const total = lines.reduce((sum, [, ms]) => sum + ms, 0);
const row = (name: string, ms: number): string => `${name.padEnd(50)}${ms.toFixed(4)} ms`;
console.log(
  [
    `${transfers} transfers, ${accountCount} accounts, ${perBlock} per block`,
    ...lines.map(([name, ms]) => row(name, ms)),
    "",
    ...[...threads].map(([name, ms]) => row(name, ms)),
    row("total", total),
  ].join("\n"),
);
store.close();
database.close();
prepared.folder.release();
