import { describe, expect, test } from "bun:test";
import { createLogger, createNodeMetrics } from "#base/telemetry/index.ts";
import { positionAt } from "#engine/state/index.ts";
import type { FromAdmission, ToAdmission } from "#services/admission/index.ts";
import { encodeSlowValidation } from "#services/admission/slow-validation.ts";
import { ChainView } from "#app/node/chain/chain-view.ts";
import type { FromQuery, ToQuery } from "#app/node/threads/query-messages.ts";
import { createClients, stopRequests } from "#app/node/clients/clients.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { encodePrepared } from "#services/admission/declare/prepared-declaration.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { COMPILED, compilerWorld } from "#test/helpers/fake-compiler.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { emptyInvoke, nonceState } from "#test/helpers/mempool-world.ts";
import { classSizeOf, preparedOf, sentDeclaration } from "#test/helpers/sent-declaration.ts";

/** @param latestProtocolVersion - of the chain */
function clients(latestProtocolVersion = "0.14.4") {
  const admission = fakePort<FromAdmission, ToAdmission>();
  const query = fakePort<FromQuery, ToQuery>();
  const metrics = createNodeMetrics();
  const lines: string[] = [];
  const parts = new AsyncDisposableStack();
  const observer = {
    started: () => undefined,
    finished: () => undefined,
    internalError: (...error: unknown[]) => void lines.push(error.join(" ")),
  };
  const compiler = compilerWorld(2);
  const created = createClients({
    setup: {
      config: { latestProtocolVersion, customConstants: new Map() } as unknown,
      chargeFees: true,
    } as NodeSetup,
    compiler,
    threads: {
      admission: { port: admission },
      queries: [{ port: query, cancelFlag: new Int32Array(1) }],
    },
    // The class of a contract has the contract's address without its last digit.
    view: new ChainView(
      numberedChain(3, () => ({ ...nonceState(), classHashAt: (address) => address >> 4n })),
    ),
    observer,
    metrics,
    log: createLogger({ level: "info", format: "text", write: (line) => lines.push(line) }),
    parts,
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
  const { admission: client, declares, queryPool } = created;
  return {
    client,
    declares,
    queryPool,
    compiler,
    admission,
    query,
    lines,
    parts,
    tell,
    answer,
    metric,
  };
}

type WithoutPosition<T> = T extends unknown ? Omit<T, "position"> : never;

test("a long validation of admission is done by a query thread; its refusal is counted", async () => {
  const { client, admission, query, tell, answer, metric } = clients();
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
  const { queryPool, query, answer } = clients();
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
  async function compiled(parts: ReturnType<typeof clients>, compiledClassHash = blake) {
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
    const { declares, compiler, query, admission, answer, tell } = clients();
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
    const parts = clients();
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
    const taken = clients(version);
    await compiled(taken, right);
    expect(taken.query.sent.at(-1)).toMatchObject({ kind: "validate" });
    const { outcome } = await compiled(clients(version), wrong);
    expect(await outcome).toMatchObject({ code: "COMPILED_CLASS_HASH_MISMATCH" });
  });

  test("that is refused is counted by the error's name", async () => {
    const { declares, answer, metric } = clients();
    const outcome = declares.declare(sentDeclaration(7n));
    answer(encodePrepared({ kind: "rejected", code: "NON_ACCOUNT", reason: "no" }));
    expect(await outcome).toEqual({ kind: "rejected", code: "NON_ACCOUNT", reason: "no" });
    expect(await metric("appchain_mempool_refused")).toMatchObject([
      { labels: { code: "NON_ACCOUNT" }, value: 1 },
    ]);
  });
});

test("the size of the mempool and rejections are in the metrics, and rejections in the log", async () => {
  const { tell, metric, lines, parts } = clients();
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
  await parts.disposeAsync();
  expect(lines).toHaveLength(logged + 1);
});

test("a stop answers what waits, then gives what runs a short time before it is cancelled", async () => {
  const order: string[] = [];
  const noted = (name: string) => () => void order.push(name);
  await stopRequests(
    {
      queryPool: { stop: noted("pool"), cancel: noted("cancel") },
      admission: { stop: noted("admission") },
      declares: { stop: noted("declares") },
    },
    {
      stop(graceMs, onGraceOver) {
        order.push(`server ${graceMs}`);
        onGraceOver();
        return Promise.resolve();
      },
    },
  );
  expect(order).toEqual(["pool", "admission", "declares", "server 800", "cancel"]);
});
