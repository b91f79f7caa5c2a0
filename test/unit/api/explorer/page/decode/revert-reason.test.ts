import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { selectorOf } from "#api/explorer/page/abi/selector.ts";
import { nodesOf } from "#api/explorer/page/decode/call-tree.ts";
import { failedTreeOf } from "#api/explorer/page/decode/failed-tree.ts";
import { panicText, panicValues, panicValuesOfText } from "#api/explorer/page/decode/panic.ts";
import { unfoldRevert } from "#api/explorer/page/decode/revert-reason.ts";
import { fixturePath, fixtureTest, readFixtureJson } from "#test/helpers/shared.ts";

const oracleTest = fixtureTest("oracle");
const head = (what: string, contract: string) =>
  `Error in ${what} (contract address: ${contract}, class hash: 0x0c, selector: 0x05):`;

/** Revert reasons of the reference engine. */
function recordedReasons(): readonly string[] {
  const reasons: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, one] of Object.entries(value)) {
      if (name === "revert_reason" && typeof one === "string") reasons.push(one);
      else visit(one);
    }
  };
  for (const file of readdirSync(fixturePath("oracle")).filter((one) => one.endsWith(".json"))) {
    visit(readFixtureJson("oracle", file));
  }
  return reasons;
}

describe("unfoldRevert", () => {
  oracleTest("finds every address, and a cause without places, in recorded reasons", () => {
    const reasons = recordedReasons();
    expect(reasons.length).toBeGreaterThan(100);
    for (const reason of reasons) {
      const { frames, cause } = unfoldRevert(reason);
      const named = new Set(
        [...reason.matchAll(/contract address: 0x0*([0-9a-f]+), class/g)].map(
          ([, hex]) => `0x${hex}`,
        ),
      );
      expect(new Set(frames.map(({ contract }) => contract))).toEqual(named);
      expect(cause).not.toBe("");
      expect(cause).not.toMatch(
        /Error at pc|traceback|Unknown location|contract address:|Failure reason/,
      );
    }
  });

  test("unfolds the frames of calls, library calls and constructors, with the panic's values", () => {
    const reason = [
      "Transaction execution has failed:",
      `0: ${head("the called contract", "0x01")}`,
      "Error at pc=0:5:",
      `1: ${head("a library call", "0x02")}`,
      `2: ${head("the contract class constructor", "0x03")}`,
      "Execution failed. Failure reason:",
      head("contract", "0x03"),
      "(0x6e6f ('no'), 0x454e545259504f494e545f4641494c4544 ('ENTRYPOINT_FAILED')).",
      "",
    ].join("\n");
    const { frames, cause, panic } = unfoldRevert(reason);
    expect(frames.map(({ contract, kind }) => [contract, kind])).toEqual([
      ["0x1", "call"],
      ["0x2", "library call"],
      ["0x3", "constructor"],
    ]);
    expect(frames[0]?.text).toBe("Error at pc=0:5:");
    expect(cause).toBe("no");
    expect(panic.map(({ text }) => text)).toEqual(["no", "ENTRYPOINT_FAILED"]);
  });

  test("reads reasons of one line and of the first sequencers", () => {
    expect(unfoldRevert("Execution failed. Failure reason: 0x6e6f ('no').")).toMatchObject({
      frames: [],
      cause: "no",
    });
    expect(
      unfoldRevert("Error in the called contract (0x01):\nError at pc=0:1:\nbad\n"),
    ).toMatchObject({
      frames: [{ contract: "0x1", classHash: "0x0", selector: "0x0" }],
      cause: "bad",
    });
  });

  test("unfolds the nested errors of a failed call", () => {
    const error = {
      contract_address: "0x1",
      class_hash: "0x2",
      selector: "0x3",
      error: [
        { contract_address: "0x4", class_hash: "0x5", selector: "0x6", error: "0x6e6f ('no')" },
      ],
    };
    const { frames, cause } = unfoldRevert(error);
    expect(frames.map(({ contract }) => contract)).toEqual(["0x1", "0x4"]);
    expect(cause).toBe("no");
  });

  test.each([[undefined], [null], [5], [{}], [[]], [{ error: 5 }], [{ error: { error: null } }]])(
    "reads %p as a reason without frames",
    (reason) => {
      expect(unfoldRevert(reason)).toEqual({ frames: [], cause: "", panic: [] });
    },
  );
});

describe("panics", () => {
  // Source: `BYTE_ARRAY_MAGIC` of Cairo's corelib, before the felts of the text.
  const magic = "0x46a6158a16a947e5916b2a2ca68501a45e93d7110e81aa2d6438b1c57c879a3";

  test("felts of a byte array are one text", () => {
    expect(panicValues(["0x1", magic, "0x0", "0x68656c6c6f", "0x5", "0x6e6f"])).toEqual([
      { felt: "0x1", text: null },
      { felt: "", text: "hello" },
      { felt: "0x6e6f", text: "no" },
    ]);
  });

  test("a text of felts has their values", () => {
    expect(panicValuesOfText(`(0x1, "say "hi", ok", 0x6e6f ('no'), 0x0 ('')).`)).toEqual([
      { felt: "0x1", text: null },
      { felt: "", text: 'say "hi", ok' },
      { felt: "0x6e6f", text: "no" },
      { felt: "0x0", text: null },
    ]);
    expect(panicValuesOfText("Class with hash 0x1 is not declared.")).toBeUndefined();
  });

  test("one line has the texts, without what the system adds", () => {
    expect(panicText(panicValues(["0x6e6f", "0x454e545259504f494e545f4641494c4544"]))).toBe("no");
    expect(panicText(panicValues(["0x1", "0x2"]))).toBe("0x1, 0x2");
  });
});

describe("failedTreeOf", () => {
  const NO_CLASSES: ReadonlyMap<string, string> = new Map();
  const frame = (contract: string, selector: string) => ({
    contract,
    classHash: "0xc",
    selector,
    kind: "call" as const,
    text: "",
  });
  const reason = { cause: "no", panic: [{ felt: "0x6e6f", text: "no" }] };
  const calldata = ["0x3", "0xa", "0x1", "0x0", "0xb", "0x2", "0x1", "0x7", "0xd", "0x3", "0x0"];

  test("shows which calls were undone, failed and did not run, with the reason at the failed one", () => {
    const frames = [frame("0xacc", selectorOf("__execute__")), frame("0xb", "0x2")];
    const root = failedTreeOf({ frames, ...reason }, calldata, NO_CLASSES);
    if (root === undefined) throw new TypeError("no tree");
    expect(
      nodesOf(root).map((node) => [node.contract, node.state, node.calldata, node.reason]),
    ).toEqual([
      ["0xacc", "failed", calldata, ""],
      ["0xa", "undone", [], ""],
      ["0xb", "failed", ["0x7"], "no"],
      ["0xd", "not run", [], ""],
    ]);
  });

  test("takes the class of a call that the reason does not name from its contract", () => {
    const frames = [frame("0xacc", "0x1"), frame("0xb", "0x2")];
    const classes = new Map([
      ["0xa", "0xca"],
      ["0xb", "0xcb"],
    ]);
    const root = failedTreeOf({ frames, ...reason }, calldata, classes);
    expect(root?.calls.map(({ classHash }) => classHash)).toEqual(["0xca", "0xc", "0x0"]);
  });

  test("names no failed call where several have its target, but those that it may be", () => {
    const frames = [frame("0xacc", "0x1"), frame("0xa", "0x2")];
    const calls = ["0xb", "0xa", "0xa", "0xb"].flatMap((to) => [to, "0x2", "0x0"]);
    const root = failedTreeOf({ frames, ...reason }, ["0x4", ...calls], NO_CLASSES);
    const shown = root === undefined ? [] : nodesOf(root).slice(1);
    expect(shown.map((node) => `${node.path} ${node.contract} ${node.state}`)).toEqual([
      "0.0 0xb undone",
      "0.1 0xa uncertain",
      "0.2 0xa uncertain",
      "0.3 0xa failed",
      "0.4 0xb not run",
    ]);
  });

  test("finds the calls behind an account's proxy", () => {
    const account = frame("0xacc", "0x1");
    const frames = [account, { ...account, kind: "library call" as const }, frame("0xd", "0x3")];
    const root = failedTreeOf({ frames, ...reason }, calldata, NO_CLASSES);
    expect(
      root === undefined ? [] : nodesOf(root).map(({ path, state }) => `${path} ${state}`),
    ).toEqual(["0 failed", "0.0 failed", "0.0.0 undone", "0.0.1 undone", "0.0.2 failed"]);
  });

  test("keeps frames that are no call of the calldata", () => {
    const frames = [frame("0xacc", "0x1"), frame("0x99", "0x2"), frame("0x98", "0x3")];
    const root = failedTreeOf({ frames, ...reason }, calldata, NO_CLASSES);
    expect(root === undefined ? [] : nodesOf(root).map(({ contract }) => contract)).toEqual([
      "0xacc",
      "0x99",
      "0x98",
    ]);
  });

  test("returns undefined for a reason without calls", () => {
    expect(failedTreeOf({ frames: [], ...reason }, calldata, NO_CLASSES)).toBeUndefined();
  });
});
