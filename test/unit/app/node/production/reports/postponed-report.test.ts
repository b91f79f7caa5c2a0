import { expect, test } from "bun:test";
import type { PostponedChange } from "#services/admission/index.ts";
import { PostponedReport } from "#app/node/production/reports/postponed-report.ts";

const added = (...transactions: PostponedChange["added"]): PostponedChange => ({
  added: transactions,
  left: [],
});

function world() {
  const lines: string[] = [];
  const report = new PostponedReport({
    warn: (text) => void lines.push(`warn ${text}`),
    info: (text) => void lines.push(`info ${text}`),
  });
  return { lines, report };
}

test("names each transaction that waits once", () => {
  const { lines, report } = world();
  report.note(added({ hash: 0xan, reason: "lost" }));
  report.note(added({ hash: 0xan, reason: "lost again" }));
  expect(lines).toEqual([
    "warn transaction 0xa waits in the mempool for a value of the fork's origin: lost",
  ]);
});

test("says when no transaction waits any longer", () => {
  const { lines, report } = world();
  report.note(added({ hash: 0xan, reason: "lost" }));
  report.note({ added: [], left: [0xan] });
  report.note({ added: [], left: [0xan] });
  expect(lines.slice(1)).toEqual(["info no transaction waits for the fork's origin any longer"]);
});

test("gives the reason why the node is not ready while transactions wait", () => {
  const { report } = world();
  expect(report.alarm()).toBeUndefined();
  report.note(added({ hash: 1n, reason: "lost" }));
  expect(report.alarm()).toBe("a transaction waits for the fork's origin: lost");
  report.note(added({ hash: 2n, reason: "refused" }));
  expect(report.alarm()).toBe("2 transactions wait for the fork's origin: lost");
});
