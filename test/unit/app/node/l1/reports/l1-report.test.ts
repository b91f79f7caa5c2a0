import { describe, expect, test } from "bun:test";
import { LOG_AGAIN_MS } from "#app/node/l1/reports/l1-log.ts";
import { L1Report } from "#app/node/l1/reports/l1-report.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import type { MessageEvent } from "#services/l1-watch/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const BLOCK = { number: 9, hash: 0x99n, parentHash: 0x98n, timestamp: 5 };

function world() {
  const timer = new FakeTimer();
  const metrics = createNodeMetrics();
  const lines: string[] = [];
  const log = createLogger({ level: "info", format: "text", write: (line) => lines.push(line) });
  const report = new L1Report({ log, metrics, timer });
  const values = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values ?? [];
  const value = async (name: string) => (await values(name))[0]?.value;
  return { report, timer, lines, values, value };
}

describe("endpoints in the L1 report", () => {
  test("have one state each, and a switch is logged with its cause", async () => {
    const { report, lines, values } = world();
    report.endpoint("http://a", "in use", undefined);
    report.endpoint("http://a", "left", "it went\nbackwards");
    report.endpoint("http://b", "in use", undefined);
    const set = (await values("appchain_l1_endpoint_state")).filter(({ value }) => value === 1);
    expect(set.map(({ labels }) => labels)).toEqual([
      { endpoint: "http://a", state: "left" },
      { endpoint: "http://b", state: "in use" },
    ]);
    expect(lines[1]).toMatch(/WARN .*switched away.*http:\/\/a.*it went backwards/);
  });
});

describe("steps in the L1 report", () => {
  test("set the metrics of L1's head and final block", async () => {
    const { report, value } = world();
    report.watch({ kind: "stepped", head: { ...BLOCK, number: 12 }, block: BLOCK, read: 9 });
    expect(await value("appchain_l1_head_block")).toBe(12);
    expect(await value("appchain_l1_final_block")).toBe(9);
  });

  test("that fail are counted, logged once per interval, and followed by a recovery line", async () => {
    const { report, timer, lines, value } = world();
    const failed = { kind: "failed", part: "logs", error: new TypeError("no") } as const;
    for (let i = 0; i < 5; i++) report.watch(failed);
    expect(lines).toHaveLength(1);
    timer.advance(LOG_AGAIN_MS);
    report.watch(failed);
    expect(lines).toHaveLength(2);
    expect(await value("appchain_l1_step_failures")).toBe(6);
    report.watch({ kind: "recovered", failures: 6 });
    expect(lines[2]).toContain("followed again");
    report.watch(failed);
    expect(lines).toHaveLength(4);
  });

  test("log and count a reorg of L1", async () => {
    const { report, lines, value } = world();
    report.watch({ kind: "reorganized", gone: BLOCK });
    expect(lines[0]).toMatch(/WARN .*reorganized.*l1_block=9/);
    expect(await value("appchain_l1_reorgs")).toBe(1);
  });
});

describe("prices in the L1 report", () => {
  test("set the metrics of L1's and the block's prices", async () => {
    const { report, value } = world();
    const friPerWei = { numerator: 5n, denominator: 2n };
    report.prices({ l1GasWei: 40n, l1DataGasWei: 1n, friPerWei });
    for (const name of ["appchain_l1_gas_price", "appchain_l1_block_gas_price"]) {
      expect(await value(name)).toBe(40);
      expect(await value(`${name}_strk`)).toBe(100);
    }
  });

  test("log a silent source once until it responds, L1 and the oracle separately", () => {
    const { report, lines } = world();
    const unanswered = { kind: "unanswered", error: new TypeError("no") } as const;
    for (let i = 0; i < 3; i++) {
      report.price({ ...unanswered, teller: "l1" });
      report.price({ ...unanswered, teller: "oracle" });
    }
    expect(lines).toHaveLength(2);
    report.price({ kind: "answered", teller: "l1" });
    report.price({ ...unanswered, teller: "oracle" });
    report.price({ ...unanswered, teller: "l1" });
    expect(
      lines.slice(2).map((line) => /L1 reports prices again|L1 reports no prices/.exec(line)?.[0]),
    ).toEqual(["L1 reports prices again", "L1 reports no prices"]);
  });

  test("log outliers when held back and when confirmed, and stale prices as an error", async () => {
    const { report, lines, value } = world();
    const held = {
      kind: "held_back",
      price: "l1Gas",
      reported: "99",
      usual: "9",
      pollsNeeded: 10,
    } as const;
    for (let polls = 1; polls < 4; polls++) report.price({ ...held, polls });
    report.price({ kind: "confirmed", price: "l1Gas", reported: "99", by: "polls" });
    report.price({ kind: "stale", price: "l1Gas", ageMs: 100_000 });
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/held back.*reported=99 usual=9/);
    expect(lines[2]).toMatch(/ERROR .*age_s=100/);
    expect(await value("appchain_l1_prices_held_back")).toBe(3);
  });
});

describe("L1 state in the report", () => {
  const update = {
    blockNumber: 7n,
    blockHash: 0xabcn,
    stateRoot: 0xdefn,
    l1Block: BLOCK,
    transactionHash: 0x1n,
  };

  test("logs number and root of an update", () => {
    const { report, lines } = world();
    report.update(update);
    expect(lines[0]).toMatch(/L1 head: block 7 hash=0xabc state_root=0xdef l1_block=9/);
    report.update({ ...update, blockNumber: -1n });
    expect(lines[1]).toContain("no block yet");
  });

  test("raises an alarm for a mismatch, until it is cleared by a new check", async () => {
    const { report, lines, value, values } = world();
    report.alarm({ kind: "state_mismatch", message: "block 7 is another one", l1Block: BLOCK });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/ERROR .*ALARM: block 7 is another one/);
    expect(await value("appchain_l1_state_mismatch")).toBe(1);
    expect(await values("appchain_l1_alarm")).toMatchObject([
      { value: 1, labels: { kind: "state_mismatch" } },
    ]);
    report.restarted();
    expect(await value("appchain_l1_state_mismatch")).toBe(0);
    expect(await values("appchain_l1_alarm")).toEqual([]);
  });

  test("logs an unconfirmed update once, and sets a gauge until it is resolved", async () => {
    const { report, lines, value } = world();
    const event = { update, said: "http://a confirms it" } as const;
    for (let i = 0; i < 3; i++) report.state({ kind: "doubted", ...event });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /WARN .*another block 7.* l1_root=0xdef l1_block=9 l1_transaction=0x0+1 endpoints="?http:\/\/a confirms it/,
    );
    expect(await value("appchain_l1_unconfirmed_mismatch")).toBe(1);
    report.state({ kind: "refuted", ...event });
    report.state({ kind: "resolved" });
    expect(lines).toHaveLength(3);
    expect(await value("appchain_l1_unconfirmed_mismatch")).toBe(0);
    expect(await value("appchain_l1_updates_refuted")).toBe(1);
  });

  test("clears the unconfirmed gauge when an alarm replaces the doubt", async () => {
    const { report, value } = world();
    report.state({ kind: "doubted", update, said: "" });
    report.alarm({ kind: "state_mismatch", message: "block 7 is another one", l1Block: BLOCK });
    expect(await value("appchain_l1_unconfirmed_mismatch")).toBe(0);
  });

  test("does not count a vanished message as a state mismatch", async () => {
    const { report, value, values } = world();
    report.alarm({ kind: "message_vanished", message: "nonce 3", l1Block: BLOCK });
    expect(await value("appchain_l1_state_mismatch")).toBe(0);
    expect(await values("appchain_l1_alarm")).toHaveLength(1);
  });
});

test("refreshes gauges on each scrape", async () => {
  const { report, value } = world();
  const chain = (latest: number | undefined, accepted: number | undefined) => ({
    latestNumber: () => latest,
    l1AcceptedNumber: () => accepted,
  });
  report.refresh(chain(9, 4), { backlog: 3, priceAgeMs: 1_500 });
  expect(await value("appchain_l1_block_number")).toBe(4);
  expect(await value("appchain_l1_settlement_lag_blocks")).toBe(5);
  expect(await value("appchain_l1_message_backlog")).toBe(3);
  expect(await value("appchain_l1_price_age_seconds")).toBe(1.5);
  report.refresh(chain(9, undefined), { backlog: 0, priceAgeMs: 0 });
  expect(await value("appchain_l1_block_number")).toBe(-1);
  expect(await value("appchain_l1_settlement_lag_blocks")).toBe(10);
});

describe("L1 messages in the report", () => {
  const leftOut = (nonce: bigint): MessageEvent => ({
    kind: "held_back",
    message: {
      nonce,
      l1TransactionHash: 0x7n,
      l1BlockNumber: 3,
      reason: { kind: "unusable", what: "payload 0\u001b[31m" },
    },
  });

  test("logs executed messages together and counts them", async () => {
    const { report, lines, value } = world();
    const messages = { firstNonce: 3n, lastNonce: 9n, included: 6, known: 1, refused: 0 };
    report.message({ kind: "batch", messages });
    report.message({ kind: "batch", messages: { ...messages, included: 0, known: 7 } });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/executed messages from L1 messages=6 nonces=3-9/);
    expect(await value("appchain_l1_messages_consumed")).toBe(6);
  });

  test("logs skipped messages with their reason, and summarizes a flood", async () => {
    const { report, timer, lines, value } = world();
    for (let nonce = 0n; nonce < 500n; nonce++) report.message(leftOut(nonce));
    expect(lines.length).toBeLessThan(20);
    expect(lines[0]).toMatch(
      /WARN .*nonce=0 reason="no transaction can contain it: payload 0 \[31m"/,
    );
    timer.advance(2_000);
    expect(lines.at(-1)).toMatch(/skipped more messages from L1 count=490/);
    expect(await value("appchain_l1_messages_left_out")).toBe(500);
  });

  test("logs every other reason to skip, and that a message returned, is too old or waits", () => {
    const { report, lines } = world();
    const message = { nonce: 1n, l1TransactionHash: 2n, l1BlockNumber: 3 };
    for (const reason of [
      { kind: "cancellation", startedUnixSeconds: 5n },
      { kind: "gone" },
      { kind: "refused", reason: "no" },
    ] as const) {
      report.message({ kind: "held_back", message: { ...message, reason } });
    }
    report.message({ kind: "returned", nonce: 1n });
    report.message({ kind: "too_old", firstNonce: 0n, lastNonce: 4n });
    for (let i = 0; i < 3; i++) {
      report.message({ kind: "delayed", error: new TypeError("no"), retryMs: 1 });
    }
    const words = ["cancellation", "no longer has it", "reason=no", "valid again", "0-4", "wait"];
    expect(lines).toHaveLength(words.length);
    for (const [i, word] of words.entries()) expect(lines[i]).toContain(word);
  });

  test("logs the rest of a count on flush", () => {
    const { report, lines } = world();
    for (let nonce = 0n; nonce < 30n; nonce++) report.message(leftOut(nonce));
    report.flush();
    expect(lines.at(-1)).toContain("count=20");
  });
});
