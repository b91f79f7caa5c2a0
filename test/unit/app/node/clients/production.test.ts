import { describe, expect, test } from "bun:test";
import { createLogger, createNodeMetrics } from "#base/telemetry/index.ts";
import { positionAt } from "#engine/state/index.ts";
import type { DeltaMessage, FromAdmission, ToAdmission } from "#services/admission/index.ts";
import type {
  AcceptedMessage,
  ControlReply,
  ControlRequest,
  SettledOnL1,
  SettleOnL1,
} from "#services/sequencer/index.ts";
import { encodeSlowValidation } from "#services/admission/slow-validation.ts";
import { ChainView } from "#app/node/chain/chain-view.ts";
import type { FromQuery, ToQuery } from "#app/node/threads/query-messages.ts";
import { Production } from "#app/node/clients/production.ts";
import { createQueryClient } from "#app/node/clients/query-client.ts";
import { RejectionReport } from "#app/node/reports/rejection-report.ts";
import type { NodeThreads } from "#app/node/threads/node-threads.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { encodePrepared } from "#services/admission/declare/prepared-declaration.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { COMPILED, compilerWorld } from "#test/helpers/fake-compiler.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { emptyInvoke, nonceState } from "#test/helpers/mempool-world.ts";
import { classSizeOf, preparedOf, sentDeclaration } from "#test/helpers/sent-declaration.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

/** @param latestProtocolVersion - of the chain */
function world(latestProtocolVersion = "0.14.4") {
  const admission = fakePort<FromAdmission, ToAdmission>();
  const query = fakePort<FromQuery, ToQuery>();
  const executor = fakePort<DeltaMessage | ControlReply, ControlRequest>();
  const committer = fakePort<AcceptedMessage | SettledOnL1, SettleOnL1>();
  const metrics = createNodeMetrics();
  const lines: string[] = [];
  const timer = new FakeTimer();
  const observer = {
    started: () => undefined,
    finished: () => undefined,
    internalError: (...error: unknown[]) => void lines.push(error.join(" ")),
  };
  const compiler = compilerWorld(2);
  // The class of a contract has the contract's address without its last digit.
  const view = new ChainView(
    numberedChain(3, () => ({ ...nonceState(), classHashAt: (address) => address >> 4n })),
    timer,
  );
  const log = createLogger({ level: "info", format: "text", write: (line) => lines.push(line) });
  const count = (code: string): void => metrics.mempoolRejected.labels(code).inc();
  const rejections = new RejectionReport({ log, count, schedule: () => undefined });
  const queryPool = createQueryClient({
    threads: [{ port: query, cancelFlag: new Int32Array(1) }],
    view,
    compiler,
    observer,
    timer,
    timeoutMs: 30_000,
  });
  const ends = { admission, executor, committer };
  const production = new Production({
    setup: {
      config: { latestProtocolVersion, customConstants: new Map() } as unknown,
      chargeFees: true,
    } as NodeSetup,
    threads: {
      end: (kind: keyof typeof ends) => ({ port: ends[kind] }),
    } as unknown as NodeThreads,
    queryPool,
    view,
    compiler,
    rejections,
    metrics,
  });
  const tell = (message: WithoutPosition<FromAdmission>) =>
    admission.tell({ ...message, position: positionAt(3) });
  const metric = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values;
  /** Answers what the query thread was sent last. */
  const answer = (bytes: Uint8Array, processorMs = 1) =>
    query.tell({
      kind: "answer",
      id: query.sent.at(-1)?.id ?? -1,
      processorMs,
      isCancelled: false,
      position: positionAt(3),
      bytes,
    });
  const { admission: client, submit } = production;
  return {
    production,
    rejections,
    client,
    declares: submit,
    executor,
    committer,
    queryPool,
    compiler,
    admission,
    query,
    lines,
    tell,
    answer,
    metric,
  };
}

type WithoutPosition<T> = T extends unknown ? Omit<T, "position"> : never;

test("a long validation of admission is done by a query thread; its refusal is counted", async () => {
  const { client, admission, query, tell, answer, metric } = world();
  const outcome = client.submit(emptyInvoke(1n, 0n));
  const [submitted] = admission.sent;
  const bytes = submitted?.kind === "submit" ? submitted.bytes : new Uint8Array();
  tell({ kind: "slow", id: submitted?.id ?? -1, bytes, senderIsToBeDeployed: true });
  await settle();
  const metadata = { senderIsToBeDeployed: true, codeSize: 0 };
  expect(query.sent).toMatchObject([{ kind: "validate", bytes, metadata }]);
  answer(encodeSlowValidation({ kind: "refused", code: "VALIDATION_FAILURE", reason: "no" }));
  expect(await outcome).toMatchObject({ kind: "rejected", code: "VALIDATION_FAILURE" });
  expect(await metric("appchain_mempool_refused")).toMatchObject([
    { labels: { code: "VALIDATION_FAILURE" }, value: 1 },
  ]);
});

test("calls of one function of a class count as alike, and of no other class", () => {
  const { queryPool, query, answer } = world();
  for (const contract_address of ["0x11", "0x12", "0x22"]) {
    const request = { contract_address, entry_point_selector: "0x1", calldata: [] };
    void queryPool.run("0.10.2", "call", JSON.stringify([request, "latest"]), undefined);
    answer(new Uint8Array(), 500);
  }
  expect(query.sent.map(({ longAfterMs }) => longAfterMs)).toEqual([40, null, 40]);
});

describe("a declaration", () => {
  const { poseidon, blake } = COMPILED.compiled.hashes;
  const VALID = encodeSlowValidation({ kind: "valid", prevalidated: null });

  /** A declaration that names a compiled class hash, from its preparation to its compilation. */
  async function compiled(parts: ReturnType<typeof world>, compiledClassHash = blake) {
    const { declares, compiler, tell, answer, admission } = parts;
    const declaration = sentDeclaration(7n, { compiledClassHash });
    const prepared = preparedOf(declaration);
    const outcome = declares.declare(declaration);
    answer(encodePrepared(prepared));
    await settle();
    tell({ kind: "declareJudged", id: admission.sent.at(-1)?.id ?? -1, refusal: null });
    await settle();
    compiler.compilers.at(0)?.answer(COMPILED);
    await settle();
    return { declaration, prepared, outcome };
  }

  test("is prepared by a query thread and judged by admission, then compiled", async () => {
    const { declares, compiler, query, admission, answer, tell } = world();
    const declaration = sentDeclaration(7n);
    const { bytes } = preparedOf(declaration).hashed;
    void declares.declare(declaration);
    expect(query.sent.map(({ kind }) => kind)).toEqual(["prepare"]);
    answer(encodePrepared(preparedOf(declaration)));
    await settle();
    const classSizeBytes = classSizeOf(declaration);
    expect(admission.sent).toMatchObject([{ kind: "mayDeclare", bytes, classSizeBytes }]);
    expect(compiler.compilers.map(({ given }) => given.length)).toEqual([0, 0]);
    tell({ kind: "declareJudged", id: admission.sent[0]?.id ?? -1, refusal: null });
    await settle();
    expect(compiler.compilers.map(({ given }) => given.length)).toEqual([1, 0]);
  });

  test("is validated with its code by a query thread, then handed to admission with its class", async () => {
    const parts = world();
    const { query, admission, answer, tell } = parts;
    const { prepared, outcome } = await compiled(parts);
    const { bytes } = prepared.hashed;
    const { bytecodeLength, casmJson } = COMPILED.compiled;
    const codeSize = (bytecodeLength + 1) * 32;
    expect(query.sent.at(-1)).toMatchObject({
      kind: "validate",
      bytes,
      metadata: { senderIsToBeDeployed: false, codeSize },
    });
    answer(VALID);
    await settle();
    const submitted = admission.sent.at(-1);
    expect(submitted).toMatchObject({ kind: "submit", bytes, declared: { casmJson } });
    const accepted = { kind: "accepted", transactionHash: 8n, classHash: 9n } as const;
    const outcomes = [{ id: submitted?.id ?? -1, outcome: accepted }];
    tell({ kind: "submitted", outcomes });
    expect(await outcome).toEqual(accepted);
  });

  test.each([
    ["0.14.0", poseidon, blake],
    ["0.14.1", blake, poseidon],
  ])("of protocol %s names the hash of that version", async (version, right, wrong) => {
    const taken = world(version);
    await compiled(taken, right);
    expect(taken.query.sent.at(-1)).toMatchObject({ kind: "validate" });
    const { outcome } = await compiled(world(version), wrong);
    expect(await outcome).toMatchObject({ code: "COMPILED_CLASS_HASH_MISMATCH" });
  });

  test("that is refused is counted by the error's name", async () => {
    const { declares, answer, metric } = world();
    const outcome = declares.declare(sentDeclaration(7n));
    answer(encodePrepared({ kind: "rejected", code: "NON_ACCOUNT", reason: "no" }));
    expect(await outcome).toEqual({ kind: "rejected", code: "NON_ACCOUNT", reason: "no" });
    expect(await metric("appchain_mempool_refused")).toMatchObject([
      { labels: { code: "NON_ACCOUNT" }, value: 1 },
    ]);
  });
});

test("the size of the mempool and rejections are in the metrics, and rejections in the log", async () => {
  const { tell, metric, lines, rejections } = world();
  tell({ kind: "mempoolSize", waiting: 7 });
  const rejection = { hash: 5n, sender: 6n, code: "EXPIRED", reason: "too late" };
  tell({ kind: "rejected", rejections: Array.from({ length: 12 }, () => rejection) });
  expect(await metric("appchain_mempool_transactions")).toMatchObject([{ value: 7 }]);
  expect(await metric("appchain_mempool_rejected")).toMatchObject([
    { labels: { code: "EXPIRED" }, value: 12 },
  ]);
  const logged = lines.length;
  expect(lines.join("\n")).toContain("too late");
  // What was only counted is told at the end.
  rejections.flush();
  expect(lines).toHaveLength(logged + 1);
});

describe("when the node has another role", () => {
  test("whoever waits is answered as if nothing had been received", async () => {
    const { production, client } = world();
    const waiting = [
      client.find(1n),
      client.rejectionOf(1n),
      client.list(0, 10),
      client.drop(1n),
      client.submit(emptyInvoke(1n, 0n)),
    ];
    production.hold();
    production.interrupt();
    production.close();
    expect(await Promise.all(waiting)).toMatchObject([
      undefined,
      undefined,
      { waiting: 0, inFlight: 0, transactions: [] },
      "unknown",
      { kind: "rejected" },
    ]);
  });

  test("orders that nobody did are refused", async () => {
    const { production, executor } = world();
    const ordered = production.remote.control.order(
      { kind: "closeBlock" } as never,
      "closed" as never,
    );
    expect(executor.sent).toHaveLength(1);
    production.close();
    expect(await ordered.then(() => "done", String)).toContain("meanwhile");
  });
});
