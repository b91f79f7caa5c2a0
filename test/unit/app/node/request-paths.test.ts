import { expect, test } from "bun:test";
import { createLogger, createNodeMetrics } from "#base/telemetry/index.ts";
import { positionAt } from "#engine/state/index.ts";
import type { FromAdmission, ToAdmission } from "#services/admission/index.ts";
import { encodeSlowValidation } from "#services/admission/slow-validation.ts";
import { ChainView } from "#app/node/chain-view.ts";
import type { FromQuery, ToQuery } from "#app/node/query/messages.ts";
import { createRequestPaths, stopRequests } from "#app/node/request-paths.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { emptyInvoke, nonceState } from "#test/helpers/mempool-world.ts";

function paths() {
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
  const created = createRequestPaths({
    threads: {
      admission: { port: admission },
      queries: [{ port: query, cancelFlag: new Int32Array(1) }],
    },
    view: new ChainView(numberedChain(3, () => nonceState())),
    observer,
    metrics,
    log: createLogger({ level: "info", format: "text", write: (line) => lines.push(line) }),
    parts,
  });
  const tell = (message: WithoutPosition<FromAdmission>) =>
    admission.tell({ ...message, position: positionAt(3) });
  const metric = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values;
  const { admission: client } = created;
  return { client, admission, query, lines, parts, tell, metric };
}

type WithoutPosition<T> = T extends unknown ? Omit<T, "position"> : never;

test("a long validation of admission is done by a query thread; its refusal is counted", async () => {
  const { client, admission, query, tell, metric } = paths();
  const outcome = client.submit(emptyInvoke(1n, 0n));
  const [submitted] = admission.sent;
  const bytes = submitted?.kind === "submit" ? submitted.bytes : new Uint8Array();
  tell({ kind: "slow", id: submitted?.id ?? -1, bytes, senderIsToBeDeployed: true });
  await settle();
  expect(query.sent).toMatchObject([{ kind: "validate", bytes, senderIsToBeDeployed: true }]);
  query.tell({
    kind: "answer",
    id: query.sent[0]?.id ?? -1,
    isCancelled: false,
    position: positionAt(3),
    bytes: encodeSlowValidation({ kind: "refused", code: "VALIDATION_FAILURE", reason: "no" }),
  });
  expect(await outcome).toMatchObject({ kind: "rejected", code: "VALIDATION_FAILURE" });
  expect(await metric("appchain_mempool_refused")).toMatchObject([
    { labels: { code: "VALIDATION_FAILURE" }, value: 1 },
  ]);
});

test("the size of the mempool and rejections are in the metrics, and rejections in the log", async () => {
  const { tell, metric, lines, parts } = paths();
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
    },
    {
      stop(graceMs, onGraceOver) {
        order.push(`server ${graceMs}`);
        onGraceOver();
        return Promise.resolve();
      },
    },
  );
  expect(order).toEqual(["pool", "admission", "server 800", "cancel"]);
});
