import { describe, expect, test } from "bun:test";
import { fileBudgetOf, openFileLimit } from "#app/node/setup/file-limit.ts";
import { NodeError } from "#base/errors/index.ts";

const NEEDS = { threads: 8, rpcConnections: 1_000, gatewayConnections: 0 };
/** What a node of these needs opens without connections. */
const FIXED = 96 + 8 * 8 + 80 + 64;

describe("connections", () => {
  test("have all room that they want where the limit is high, or not known", () => {
    const all = { rpcConnections: 1_000, gatewayConnections: 0, warning: undefined };
    expect(fileBudgetOf(undefined, NEEDS)).toEqual(all);
    expect(fileBudgetOf(FIXED + 1_000, NEEDS)).toEqual(all);
  });

  test("are limited to the files that are left, which a warning names with what is needed", () => {
    const { rpcConnections, warning } = fileBudgetOf(FIXED + 999, NEEDS);
    expect(rpcConnections).toBe(999);
    expect(warning).toContain(`may have ${FIXED + 999} files open`);
    expect(warning).toContain(`needs ${FIXED + 1_000} for all connections`);
    expect(warning).toContain("LimitNOFILE");
  });

  test("of the gateway are limited in proportion, and never to none", () => {
    const needs = { ...NEEDS, gatewayConnections: 500 };
    const fitted = fileBudgetOf(FIXED + 64 + 300, needs);
    expect([fitted.rpcConnections, fitted.gatewayConnections]).toEqual([200, 100]);
    const few = fileBudgetOf(FIXED + 64 + 40, { ...needs, gatewayConnections: 1 });
    expect(few.gatewayConnections).toBe(1);
  });
});

describe("a limit without room for a node", () => {
  test("is refused with what is needed and how to raise it", () => {
    expect(() => fileBudgetOf(FIXED + 31, NEEDS)).toThrow(NodeError);
    expect(() => fileBudgetOf(FIXED + 31, NEEDS)).toThrow(
      new RegExp(`may have ${FIXED + 31} files open, but the node needs at least ${FIXED + 32}`),
    );
    expect(fileBudgetOf(FIXED + 32, NEEDS).rpcConnections).toBe(32);
  });

  test("is none where fewer connections are wanted", () => {
    const few = { ...NEEDS, rpcConnections: 5 };
    expect(fileBudgetOf(FIXED + 5, few).warning).toBeUndefined();
  });
});

test.if(process.platform === "linux")("the limit of this process is read", () => {
  const told = Bun.spawnSync(["sh", "-c", "ulimit -Hn"]).stdout.toString().trim();
  expect(openFileLimit()).toBe(told === "unlimited" ? undefined : Number(told));
});
