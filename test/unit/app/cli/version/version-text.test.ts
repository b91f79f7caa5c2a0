import { describe, expect, test } from "bun:test";
import { commitOfText, commitText, programCommit } from "#app/cli/version/commit.ts";
import { versionDetails } from "#app/cli/version/details.ts";
import { versionLine, versionText } from "#app/cli/version/version-text.ts";
import packageJson from "../../../../../package.json" with { type: "json" };

const HASH = "90c81368".padEnd(40, "0");

describe("versionLine", () => {
  test("names the commit by eight digits", () => {
    expect(versionLine("0.7.0", { hash: HASH, isModified: false })).toBe(
      "appchain 0.7.0 (90c81368)",
    );
  });

  test("marks a modified tree", () => {
    expect(versionLine("0.7.0", { hash: HASH, isModified: true })).toBe(
      "appchain 0.7.0 (90c81368, modified)",
    );
  });

  test("says that the commit is unknown", () => {
    expect(versionLine("0.7.0", undefined)).toBe(
      "appchain 0.7.0 (unknown commit: made without git or outside a repository)",
    );
  });
});

describe("commitText", () => {
  test.each([[{ hash: HASH, isModified: false }], [{ hash: HASH, isModified: true }], [undefined]])(
    "is read back by commitOfText: %j",
    (commit) => {
      expect(commitOfText(commitText(commit))).toEqual(commit);
    },
  );

  test("is the only form that commitOfText accepts", () => {
    for (const text of ["", "main", "90c81368", `${HASH}-dirty`, `${HASH}\n`, ` ${HASH}`]) {
      expect([text, commitOfText(text)]).toEqual([text, undefined]);
    }
  });
});

describe("versionText", () => {
  test("is one line, with the version of package.json", async () => {
    expect(await versionText(false)).toBe(versionLine(packageJson.version, programCommit()));
  });

  test("has the details below the line when verbose", async () => {
    const lines = (await versionText(true)).split("\n");
    expect(lines).toEqual([await versionText(false), ...versionDetails(programCommit())]);
  });
});

test("versionDetails lists commit, runtime, protocol, JSON-RPC, Sierra and kernels", () => {
  const lines = versionDetails({ hash: HASH, isModified: true });
  expect(lines).toEqual([
    `commit: ${HASH}, with changes to tracked files`,
    `Bun: ${Bun.version} (${process.platform} ${process.arch})`,
    "Starknet protocol: 0.13.0 to 0.14.4",
    "JSON-RPC: 0.10.2, 0.9.0, 0.8.1, 0.7.1",
    expect.stringMatching(/^Sierra: 1\.0 to 1\.\d+\.\d+ \(code of compiler \d+\.\d+\.\d+\)$/),
    expect.stringMatching(/^kernels: (wide|plain)$/),
  ]);
  expect(versionDetails({ hash: HASH, isModified: false })[0]).toBe(`commit: ${HASH}`);
  expect(versionDetails(undefined)[0]).toBe("commit: unknown");
});
