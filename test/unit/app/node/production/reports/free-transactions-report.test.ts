import { expect, test } from "bun:test";
import { FreeTransactionsReport } from "#app/node/production/reports/free-transactions-report.ts";
import type { FreeRules } from "#services/admission/index.ts";

function world(rules: FreeRules | null, tokenClass = 0n) {
  const lines: string[] = [];
  const log = {
    info: (line: string) => void lines.push(`info: ${line}`),
    warn: (line: string) => void lines.push(`warn: ${line}`),
  };
  const state = { classHash: tokenClass };
  const classHashAt = (address: bigint) => (address === 7n ? state.classHash : 0n);
  const report = new FreeTransactionsReport({ rules, state: () => ({ classHashAt }), log });
  return { report, state, lines };
}

const UNTIL: FreeRules = { policy: "untilToken", nativeFeeToken: 7n };

test("logs that transactions are free, and once when that ends", () => {
  const { report, state, lines } = world(UNTIL);
  expect(lines).toEqual(["warn: transactions are free until the native fee token has a contract"]);
  report.look();
  expect(lines).toHaveLength(1);
  state.classHash = 5n;
  report.look();
  report.look();
  expect(lines.slice(1)).toEqual([
    "info: the native fee token has a contract: transactions are no longer free",
  ]);
});

test("on a public address, logs the option that accepts free transactions", () => {
  const { report, state, lines } = world({ ...UNTIL, policy: "never" });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("--allow-bootstrap");
  state.classHash = 5n;
  report.look();
  expect(lines).toHaveLength(1);
});

test("logs nothing if the token has a contract or the chain charges no fees", () => {
  expect(world(UNTIL, 5n).lines).toEqual([]);
  expect(world(null).lines).toEqual([]);
});
