import { describe, expect, test } from "bun:test";
import { fileBudgetOf, openFileLimit } from "#app/node/setup/file-limit.ts";
import { NodeError } from "#base/errors/index.ts";

const NEEDS = { threads: 8, rpcConnections: 1_000, gatewayConnections: 0 };
/** Files that such a node opens without connections. */
const FIXED = 96 + 8 * 8 + 80 + 64;

describe("the file budget", () => {
  test("grants all connections if the limit is high or unknown", () => {
    const all = { rpcConnections: 1_000, gatewayConnections: 0, warning: undefined };
    expect(fileBudgetOf(undefined, NEEDS)).toEqual(all);
    expect(fileBudgetOf(FIXED + 1_000, NEEDS)).toEqual(all);
  });

  test("limits connections to the remaining files and warns with the required limit", () => {
    const { rpcConnections, warning } = fileBudgetOf(FIXED + 999, NEEDS);
    expect(rpcConnections).toBe(999);
    expect(warning).toContain(`may have ${FIXED + 999} files open`);
    expect(warning).toContain(`needs ${FIXED + 1_000} for all connections`);
    expect(warning).toContain("LimitNOFILE");
  });

  test("limits gateway connections in proportion, never to zero", () => {
    const needs = { ...NEEDS, gatewayConnections: 500 };
    const fitted = fileBudgetOf(FIXED + 64 + 300, needs);
    expect([fitted.rpcConnections, fitted.gatewayConnections]).toEqual([200, 100]);
    const few = fileBudgetOf(FIXED + 64 + 40, { ...needs, gatewayConnections: 1 });
    expect(few.gatewayConnections).toBe(1);
  });
});

describe("a file limit too low for the node", () => {
  test("is refused with the required limit and how to raise it", () => {
    expect(() => fileBudgetOf(FIXED + 31, NEEDS)).toThrow(NodeError);
    expect(() => fileBudgetOf(FIXED + 31, NEEDS)).toThrow(
      new RegExp(`may have ${FIXED + 31} files open, but the node needs at least ${FIXED + 32}`),
    );
    expect(fileBudgetOf(FIXED + 32, NEEDS).rpcConnections).toBe(32);
  });

  test("is sufficient if fewer connections are wanted", () => {
    const few = { ...NEEDS, rpcConnections: 5 };
    expect(fileBudgetOf(FIXED + 5, few).warning).toBeUndefined();
  });
});

test.if(process.platform === "linux")("reads the limit of this process", () => {
  const told = Bun.spawnSync(["sh", "-c", "ulimit -Hn"]).stdout.toString().trim();
  expect(openFileLimit()).toBe(told === "unlimited" ? undefined : Number(told));
});
