import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { createMemoryPermits } from "#engine/cairo/index.ts";
import { positionAt } from "#engine/state/index.ts";
import { encodeTransaction } from "#protocol/chain/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { ExecutionJournal, readExecutionRecord, openMempoolStore } from "#io/storage/index.ts";
import { createImpersonationPage, encodeBatch } from "#services/admission/index.ts";
import { createDevPage } from "#services/sequencer/index.ts";
import { startAdmission } from "#app/node/admission/start-admission.ts";
import { prepareFolder } from "#app/node/storage/folder/prepare.ts";
import { startCommitter } from "#app/node/production/start-committer.ts";
import { startExecutor } from "#app/node/production/start-executor.ts";
import { createPulsePage, Pulse } from "#app/node/threads/health/pulse.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import type { ThreadKind } from "#app/node/threads/protocol.ts";
import type { WorkerContext } from "#app/node/threads/runtime.ts";
import { mempoolEntry } from "#test/helpers/mempool-entry.ts";
import { type FakePort, fakePort } from "#test/helpers/fake-port.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

async function newChain(folder: string, hashThreads = 0): Promise<NodeSetup> {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const setup = {
    ...ORDINARY_SETUP,
    config,
    files: nodeFiles(folder, null),
    chargeFees: true,
    l1Prices: fixedL1Prices(gasPriceOptions()),
    executionMemoryBytes: 2 ** 28,
    hashThreads,
  };
  const { folder: taken } = await prepareFolder(setup, null);
  taken.keep();
  taken.release();
  return setup;
}

/** A message of any kind. */
interface Message {
  readonly kind: string;
}
const CREATE_BLOCK = {
  kind: "control",
  id: 7,
  command: { kind: "createBlock", fresh: false },
} as Message;
const TRANSACTION = { hash: 0x79n, transaction: emptyInvoke(1n, 0n) };
type AnyPort = FakePort<Message, Message>;

/** Start context of a thread; the test holds the other end of each port. */
function contextOf<Kind extends ThreadKind>(setup: NodeSetup) {
  const ports = new Map<string, AnyPort>();
  const port = (name: string): AnyPort => {
    let known = ports.get(name);
    if (known === undefined) ports.set(name, (known = fakePort()));
    return known;
  };
  const pulse = createPulsePage();
  const context = {
    setup,
    cancelFlag: new SharedArrayBuffer(4),
    memoryPermits: createMemoryPermits(1).buffer,
    retainedMemory: new SharedArrayBuffer(4),
    pulse,
    growth: SEQUENCER.threads.growth,
    main: port("main"),
    connect: port,
    index: 0,
    connectQueries: () => [port("query-0"), port("query-1")],
    connectValidators: () => [port("validator-0")],
  } as unknown as WorkerContext<Kind>;
  const until = async (name: string, kind: string): Promise<void> => {
    while (!port(name).sent.some((message) => message.kind === kind)) await Bun.sleep(1);
  };
  const kinds = (name: string) => port(name).sent.map(({ kind }) => kind);
  return { context, port, until, kinds, pulse: new Pulse(pulse) };
}

test.each([0, 2])(
  "a block passes from executor to committer with %p hash threads, reaches all readers, and is recorded as accepted on L1",
  async (hashThreads) => {
    using folder = temporaryFolder();
    const setup = await newChain(folder.path, hashThreads);
    const made = contextOf<"executor">(setup);
    const stored = contextOf<"committer">(setup);
    const executor = await startExecutor(made.context);
    const committer = await startCommitter(stored.context);
    made.port("main").tell(CREATE_BLOCK);
    await made.until("committer", "sealed");
    const deltas = made.kinds("committer").filter((kind) => kind === "delta");
    expect(deltas).not.toBeEmpty();
    for (const name of ["query-0", "query-1", "validator-0"])
      expect(made.kinds(name)).toEqual(deltas);
    expect(made.kinds("main").toSorted()).toEqual(["controlled", ...deltas]);
    for (const message of made.port("committer").sent) stored.port("executor").tell(message);
    await stored.until("main", "accepted");
    for (const name of ["executor", "admission", "query-0", "query-1", "validator-0"]) {
      expect(stored.port(name).sent).toMatchObject([{ kind: "accepted", blockNumber: 1 }]);
    }
    const accepted = stored.port("main").sent.at(-1) as Message & { readonly blockHash: bigint };
    const settle = (blockHash: bigint): Message | undefined => {
      const message = { kind: "settleOnL1", id: 9, blockNumber: 1, blockHash };
      stored.port("main").tell(message as Message);
      return stored.port("main").sent.at(-1);
    };
    const settled = { kind: "settledOnL1", id: 9 };
    expect(settle(accepted.blockHash + 1n)).toEqual({ ...settled, isDone: false } as Message);
    expect(settle(accepted.blockHash)).toEqual({ ...settled, isDone: true } as Message);
    await executor.stop();
    await committer.stop();
  },
);

test("threads that make a block show progress, and the committer probes the disk", async () => {
  using folder = temporaryFolder();
  const setup = await newChain(folder.path);
  const made = contextOf<"executor">(setup);
  const stored = contextOf<"committer">(setup);
  const executor = await startExecutor(made.context);
  const committer = await startCommitter(stored.context);
  committer.probe();
  expect(existsSync(setup.files.diskProbe)).toBe(true);
  made.port("main").tell(CREATE_BLOCK);
  await made.until("committer", "sealed");
  expect(made.pulse.count).toBeGreaterThan(0);
  for (const message of made.port("committer").sent) stored.port("executor").tell(message);
  await stored.until("main", "accepted");
  expect(stored.pulse.count).toBeGreaterThan(0);
  await executor.stop();
  await committer.stop();
});

test("an executor rehearses only with the committer, until it receives transactions", async () => {
  using folder = temporaryFolder();
  const setup = { ...(await newChain(folder.path)), warmUpTransfers: 1_000 };
  const made = contextOf<"executor">(setup);
  const stored = contextOf<"committer">(setup);
  const executor = await startExecutor(made.context);
  const committer = await startCommitter(stored.context);
  const batch = (count: number) => {
    const bytes = encodeBatch([]);
    made.port("admission").tell({ kind: "batch", count, coming: 0, attempt: 1, bytes } as Message);
  };
  batch(0);
  while (made.kinds("committer").length < 3) await Bun.sleep(1);
  batch(1);
  const rehearsals = made.kinds("committer");
  await Bun.sleep(50);
  expect(made.kinds("committer")).toEqual(rehearsals);
  expect(new Set(rehearsals)).toEqual(new Set(["rehearsal"]));
  expect([...made.kinds("main"), ...made.kinds("query-0")]).toEqual([]);
  for (const message of made.port("committer").sent) stored.port("executor").tell(message);
  made.port("main").tell(CREATE_BLOCK);
  await made.until("committer", "sealed");
  for (const message of made.port("committer").sent.slice(rehearsals.length)) {
    stored.port("executor").tell(message);
  }
  await stored.until("main", "accepted");
  expect(stored.port("main").sent).toMatchObject([{ kind: "accepted", blockNumber: 1 }]);
  await executor.stop();
  await committer.stop();
});

test.each([
  ["executed", "executionJournal"],
  ["committed", "commitJournal"],
] as const)(
  "admission detects that a thread died while it %s a transaction",
  async (work, file) => {
    using folder = temporaryFolder();
    const setup = await newChain(folder.path);
    const { files, config } = setup;
    const entry = mempoolEntry({
      hash: 0x77n,
      bytes: encodeTransaction({ hash: 0x77n, transaction: emptyInvoke(1n, 0n) }),
    });
    const store = await openMempoolStore(files.mempoolDatabase, config.chainId);
    store.put([entry]);
    await store.sync();
    store.close();
    const journal = new ExecutionJournal(files[file]);
    journal.begin(entry.hash, 1);
    journal.died("no memory");
    journal.close();
    const { context, port } = contextOf<"admission">(setup);
    const admission = await startAdmission(context);
    const reason = `a part of the node died while it ${work} the transaction: no memory`;
    // Messages that it sent before its end are still in flight.
    await admission.stop();
    expect(port("main").sent).toMatchObject([
      { messages: [{ kind: "rejected", rejections: [{ hash: 0x77n, reason }] }] },
    ]);
  },
);

test("admission shows progress with each restored transaction", async () => {
  using folder = temporaryFolder();
  const setup = await newChain(folder.path);
  const beats = async (): Promise<number> => {
    const { context, pulse } = contextOf<"admission">(setup);
    const admission = await startAdmission(context);
    const { count } = pulse;
    await admission.stop();
    return count;
  };
  const ofEmpty = await beats();
  const store = await openMempoolStore(setup.files.mempoolDatabase, setup.config.chainId);
  const entries = [1n, 2n, 3n, 4n, 5n].map((hash) => {
    const transaction = emptyInvoke(1n, hash);
    return mempoolEntry({ hash, bytes: encodeTransaction({ hash, transaction }) });
  });
  store.put(entries);
  await store.sync();
  store.close();
  expect((await beats()) - ofEmpty).toBe(5);
});

test("admission informs the validators why one of them died, beyond the current count", async () => {
  using folder = temporaryFolder();
  const setup = await newChain(folder.path);
  const path = setup.files.validatorJournals[15] ?? "";
  const journal = new ExecutionJournal(path);
  journal.begin(0x78n, 1);
  journal.died("no memory");
  journal.close();
  const { context, port } = contextOf<"admission">(setup);
  const admission = await startAdmission(context);
  await admission.stop();
  expect(port("validator-0").sent).toMatchObject([
    { messages: [{ kind: "fatal", hashes: [0x78n] }] },
  ]);
  expect(readExecutionRecord(path)).toBeUndefined();
  expect(setup.files.validatorJournals.filter((each) => existsSync(each))).toEqual([path]);
});

test.each([
  ["after its flush", false],
  ["in parallel with its flush on a development chain", true],
] as const)("the executor is woken for a transaction %s", async (_, isDevelopment) => {
  using folder = temporaryFolder();
  const devnet: NodeSetup["devnet"] = {
    page: createDevPage(null, 0),
    impersonation: createImpersonationPage(),
    blocks: "configured",
    genesisTimestamp: 0,
  };
  const setup: NodeSetup = {
    ...(await newChain(folder.path)),
    chargeFees: false,
    devnet: isDevelopment ? devnet : null,
  };
  const { context, port } = contextOf<"admission">(setup);
  const tell = (request: Readonly<Record<string, unknown>>) =>
    port("main").tell({
      messages: [{ ...request, position: positionAt(0) }],
    } as unknown as Message);
  const woken = Promise.withResolvers<void>();
  const executor = fakePort<Message, Message>(({ kind }) => {
    if (kind !== "wake") return;
    // A transaction can be found once it survives a power loss.
    tell({ kind: "find", id: 2, hash: TRANSACTION.hash });
    woken.resolve();
  });
  const connect = (name: string) => (name === "executor" ? executor : port(name));
  const admission = await startAdmission({ ...context, connect } as typeof context);
  executor.tell({ kind: "take", max: 9 } as Message);
  const bytes = encodeTransaction(TRANSACTION);
  tell({ kind: "submit", id: 1, bytes, validation: { prevalidated: null } });
  await woken.promise;
  await admission.stop();
  const replies = port("main").sent.flatMap(
    (batch) => (batch as unknown as { readonly messages: readonly Message[] }).messages,
  );
  expect(replies.find(({ kind }) => kind === "found")).toMatchObject({
    bytes: isDevelopment ? null : bytes,
  });
});
