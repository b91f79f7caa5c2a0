import { describe, expect, spyOn, test } from "bun:test";
import type { ChainListener } from "#api/rpc/ws/feed.ts";
import { encodeSlowValidation } from "#services/admission/slow-validation.ts";
import { encodePrepared } from "#services/admission/declare/prepared-declaration.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import { CLIENT } from "#test/helpers/clients.ts";
import { productionWorld } from "#test/helpers/production-world.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { COMPILED } from "#test/helpers/fake-compiler.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { classSizeOf, preparedOf, sentDeclaration } from "#test/helpers/sent-declaration.ts";

test("production runs a long admission validation on a query thread and counts its rejection", async () => {
  const { client, admission, orders, tell, answer, metric } = productionWorld();
  const outcome = client.submit(emptyInvoke(1n, 0n), CLIENT);
  const [submitted] = admission.sent;
  const bytes = submitted?.kind === "submit" ? submitted.bytes : new Uint8Array();
  tell({ kind: "slow", id: submitted?.id ?? -1, bytes, isSenderUndeployed: true });
  await settle();
  const metadata = { isSenderUndeployed: true, codeSize: 0 };
  expect(orders()).toMatchObject([{ kind: "validate", bytes, metadata }]);
  answer(encodeSlowValidation({ kind: "refused", code: "VALIDATION_FAILURE", reason: "no" }));
  expect(await outcome).toMatchObject({ kind: "rejected", code: "VALIDATION_FAILURE" });
  expect(await metric("appchain_mempool_refused")).toMatchObject([
    { labels: { code: "VALIDATION_FAILURE" }, value: 1 },
  ]);
});

test("production raises an alarm while a gate waits, until it opens or the committer is gone", () => {
  const { production, committer, timer } = productionWorld();
  production.growth.accepted.listen(() => undefined);
  const wait = (): void => {
    const about = { kind: "gate", state: "waiting", blockNumber: 4, reason: "status 503" } as const;
    committer.tell(about);
    timer.advance(60_000);
  };
  expect(production.alarm()).toBeUndefined();
  wait();
  expect(production.alarm()).toContain("block 4");
  committer.tell({ kind: "gate", state: "open", blockNumber: 4 });
  expect(production.alarm()).toBeUndefined();
  wait();
  production.interrupt();
  expect(production.alarm()).toBeUndefined();
});

test("production counts published blocks only with a gate", async () => {
  const store = {
    bucket: "b",
    prefix: "",
    endpoint: "http://h",
    region: "r",
    credentialsFile: null,
  };
  for (const [gate, count] of [
    [null, 0],
    [{ store, epoch: 0 }, 1],
  ] as const) {
    const { production, metric } = productionWorld("0.14.4", gate);
    production.accepted({} as AcceptedMessage);
    expect(await metric("appchain_gate_published_blocks")).toMatchObject([{ value: count }]);
  }
});

test("calls of one entry point share a cost estimate across contracts of a class", () => {
  const { queryPool, orders, answer } = productionWorld();
  for (const contract_address of ["0x11", "0x12", "0x22"]) {
    const request = { contract_address, entry_point_selector: "0x1", calldata: [] };
    void queryPool.run("0.10.2", "call", JSON.stringify([request, "latest"]), undefined);
    answer(new Uint8Array(), 500);
  }
  expect(orders().map(({ longAfterMs }) => longAfterMs)).toEqual([40, null, 40]);
});

describe("a declaration", () => {
  const { poseidon, blake } = COMPILED.compiled.hashes;
  const VALID = encodeSlowValidation({ kind: "valid", prevalidated: null });

  /** A declaration that names a compiled class hash, driven from preparation to compilation. */
  async function compiled(parts: ReturnType<typeof productionWorld>, compiledClassHash = blake) {
    const { declares, compiler, tell, answer, admission } = parts;
    const declaration = sentDeclaration(7n, { compiledClassHash });
    const prepared = preparedOf(declaration);
    const outcome = declares.declare(declaration, CLIENT);
    answer(encodePrepared(prepared));
    await settle();
    tell({ kind: "declareJudged", id: admission.sent.at(-1)?.id ?? -1, refusal: null });
    await settle();
    compiler.compilers.at(0)?.answer(COMPILED);
    await settle();
    return { declaration, prepared, outcome };
  }

  test("is prepared by a query thread, checked by admission, then compiled", async () => {
    const { declares, compiler, orders, admission, answer, tell } = productionWorld();
    const declaration = sentDeclaration(7n);
    const { bytes } = preparedOf(declaration).hashed;
    void declares.declare(declaration, CLIENT);
    expect(orders().map(({ kind }) => kind)).toEqual(["prepare"]);
    answer(encodePrepared(preparedOf(declaration)));
    await settle();
    const classSizeBytes = classSizeOf(declaration);
    expect(admission.sent).toMatchObject([{ kind: "mayDeclare", bytes, classSizeBytes }]);
    expect(compiler.compilers.map(({ received }) => received.length)).toEqual([0, 0]);
    tell({ kind: "declareJudged", id: admission.sent[0]?.id ?? -1, refusal: null });
    await settle();
    expect(compiler.compilers.map(({ received }) => received.length)).toEqual([1, 0]);
  });

  test("is compiled on behalf of its sender and client address", async () => {
    const parts = productionWorld();
    const compile = spyOn(parts.compiler.service, "compile");
    await compiled(parts);
    const { senderAddress: sender } = sentDeclaration(7n).transaction;
    expect(compile.mock.calls).toMatchObject([[{ sender, client: "192.0.2.1" }]]);
  });

  test("is validated with its code by a query thread, then submitted to admission with its class", async () => {
    const parts = productionWorld();
    const { orders, admission, answer, tell } = parts;
    const { prepared, outcome } = await compiled(parts);
    const { bytes } = prepared.hashed;
    const { bytecodeLength, casmJson } = COMPILED.compiled;
    const codeSize = (bytecodeLength + 1) * 32;
    expect(orders().at(-1)).toMatchObject({
      kind: "validate",
      bytes,
      metadata: { isSenderUndeployed: false, codeSize },
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
  ])(
    "of protocol %s must name the compiled class hash of that version",
    async (version, right, wrong) => {
      const taken = productionWorld(version);
      await compiled(taken, right);
      expect(taken.orders().at(-1)).toMatchObject({ kind: "validate" });
      const { outcome } = await compiled(productionWorld(version), wrong);
      expect(await outcome).toMatchObject({ code: "COMPILED_CLASS_HASH_MISMATCH" });
    },
  );

  test("is counted by error code if it is rejected", async () => {
    const { declares, answer, metric } = productionWorld();
    const outcome = declares.declare(sentDeclaration(7n), CLIENT);
    answer(encodePrepared({ kind: "rejected", code: "NON_ACCOUNT", reason: "no" }));
    expect(await outcome).toEqual({ kind: "rejected", code: "NON_ACCOUNT", reason: "no" });
    expect(await metric("appchain_mempool_refused")).toMatchObject([
      { labels: { code: "NON_ACCOUNT" }, value: 1 },
    ]);
  });
});

test("production exports mempool size and rejections as metrics, and logs rejections", async () => {
  const { tell, metric, lines, rejections } = productionWorld();
  tell({ kind: "mempoolSize", waiting: 7 });
  const rejection = { hash: 5n, sender: 6n, code: "EXPIRED", reason: "too late" };
  tell({ kind: "rejected", rejections: Array.from({ length: 12 }, () => rejection) });
  expect(await metric("appchain_mempool_transactions")).toMatchObject([{ value: 7 }]);
  expect(await metric("appchain_mempool_rejected")).toMatchObject([
    { labels: { code: "EXPIRED" }, value: 12 },
  ]);
  const logged = lines.length;
  expect(lines.join("\n")).toContain("too late");
  // `stop` logs rejections that were only counted so far.
  rejections.flush();
  expect(lines).toHaveLength(logged + 1);
});

test("production cancels a query that exceeds its time limit", () => {
  const { queryPool, timer, cancelFlag } = productionWorld();
  void queryPool.run("0.10.2", "blockNumber", "[]", undefined);
  timer.advance(29_000);
  expect(cancelFlag[0]).toBe(0);
  timer.advance(2_000);
  expect(cancelFlag[0]).toBe(1);
});

test("production notifies subscribers of rejections", () => {
  const { view, tell } = productionWorld();
  const told: (readonly [hash: bigint, reason: string])[] = [];
  const rejected = (hash: bigint, reason: string): void => void told.push([hash, reason]);
  view.live.listen({ rejected } as ChainListener);
  tell({
    kind: "rejected",
    rejections: [{ hash: 5n, sender: 6n, code: "EXPIRED", reason: "late" }],
  });
  expect(told).toEqual([[5n, "late"]]);
});

test("production makes admission report candidates while a subscriber wants them", () => {
  const { view, admission } = productionWorld();
  view.live.want(true);
  view.live.want(false);
  expect(admission.sent).toMatchObject([
    { kind: "watch", isWanted: true },
    { kind: "watch", isWanted: false },
  ]);
});

test("requests to admission wait while its thread is away", () => {
  const { production, client, admission } = productionWorld();
  production.hold();
  void client.list(0, 10, {});
  expect(admission.sent).toEqual([]);
  production.release();
  expect(admission.sent).toMatchObject([{ kind: "list" }]);
});

test("production rejects transactions and declarations once the node stops", async () => {
  const { production, declares } = productionWorld();
  production.stop();
  const answers = [
    declares.submit(emptyInvoke(1n, 0n), CLIENT),
    declares.declare(sentDeclaration(7n), CLIENT),
  ];
  for (const answer of answers) {
    expect(await answer).toMatchObject({ kind: "rejected", reason: "the node is stopping" });
  }
});

describe("production of a role that ends", () => {
  test("settles pending requests as if nothing had been received", async () => {
    const { production, client } = productionWorld();
    const waiting = [
      client.find(1n),
      client.rejectionOf(1n),
      client.list(0, 10),
      client.drop(1n),
      client.submit(emptyInvoke(1n, 0n), CLIENT),
    ];
    production.hold();
    production.interrupt();
    production.close();
    expect(await Promise.all(waiting)).toMatchObject([
      undefined,
      undefined,
      { waiting: 0, inFlight: 0, transactions: [] },
      "unknown",
      { kind: "rejected", retryAfterSeconds: 1 },
    ]);
  });

  test("rejects orders that were not executed", async () => {
    const { production, executor } = productionWorld();
    const ordered = production.remote.control.order(
      { kind: "closeBlock" } as never,
      "closed" as never,
    );
    expect(executor.sent).toHaveLength(1);
    production.close();
    expect(await ordered.then(() => "done", String)).toContain("meanwhile");
  });
});
