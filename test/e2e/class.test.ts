import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import artifacts from "../../contracts/l2/artifacts.json" with { type: "json" };
import { parseJson } from "#base/codec/index.ts";
import { BINARY } from "#test/helpers/binary.ts";
import { processorTimeMs } from "#test/helpers/child-processes.ts";
import { fixturePath, readFixtureJson, sharedTest } from "#test/helpers/shared.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const CLASS = join(import.meta.dir, "../../contracts/l2/erc20.sierra.json");
const { classHash, compiledClassHashV1, compiledClassHashV2 } = artifacts.erc20;
const HASHES = `class_hash: ${classHash}
compiled_class_hash_poseidon: ${compiledClassHashV1}
compiled_class_hash_blake: ${compiledClassHashV2}
`;

/** Takes long to compile. */
const LARGE = fixturePath("casm-golden", "e1c7b9c73e5c.sierra.json");

describe("class compile and class hash of the executable", () => {
  const folder = useFolder();

  const run = (args: readonly string[], stdin?: string) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([BINARY, "class", ...args], {
      cwd: folder.path,
      ...(stdin === undefined ? {} : { stdin: Buffer.from(stdin) }),
    });
    return { code: exitCode, out: stdout.toString(), err: stderr.toString() };
  };

  test("hash a file and standard input, without progress output when there is no terminal", () => {
    expect(run(["hash", CLASS])).toEqual({ code: 0, out: HASHES, err: "" });
    expect(run(["hash", "-"], readFileSync(CLASS, "utf8"))).toEqual({
      code: 0,
      out: HASHES,
      err: "",
    });
  }, 60_000);

  sharedTest("exit with code 3 when a class exceeds the time limit", () => {
    for (const command of ["compile", "hash"]) {
      expect(run([command, LARGE, "--compiler-timeout", "200ms"])).toEqual({
        code: 3,
        out: "",
        err: "error: compiling exceeded the processor time limit (--compiler-timeout)\n",
      });
    }
  });

  sharedTest(
    "a golden class compiles to its complete golden file, in a file and on standard output",
    () => {
      const id = bySize({ quick: "c344363caa9e", full: "1067e06f34c6" });
      const golden = (
        readFixtureJson("casm-golden", "index.json") as { readonly id: string }[]
      ).find((each) => each.id === id) as
        { readonly poseidon: string; readonly blake: string } | undefined;
      const { pythonic_hints: _, ...expected } = parseJson(
        readFileSync(fixturePath("casm-golden", `${id}.casm.json`), "utf8"),
      ) as Readonly<Record<string, unknown>>;
      const source = fixturePath("casm-golden", `${id}.sierra.json`);
      const toFile = run(["compile", source, "--out", "golden.json"]);
      const toStream = run(["compile", source]);
      expect([toFile.code, toStream.code]).toEqual([0, 0]);
      expect(readFileSync(folder.file("golden.json"), "utf8")).toBe(toStream.out);
      expect(parseJson(toStream.out)).toEqual(expected as never);
      for (const hashes of [toFile.out, toStream.err]) {
        expect(hashes).toContain(`compiled_class_hash_poseidon: ${golden?.poseidon}\n`);
        expect(hashes).toContain(`compiled_class_hash_blake: ${golden?.blake}\n`);
      }
    },
    180_000,
  );

  test("bad input is reported on one line, and nothing is written", () => {
    writeFileSync(folder.file("large.json"), Buffer.alloc(100 * 1024 * 1024, " "));
    writeFileSync(folder.file("bytes.json"), Uint8Array.of(0xff, 0xfe));
    writeFileSync(folder.file("cut.json"), readFileSync(CLASS, "utf8").slice(0, 9_999));
    for (const [file, code, part] of [
      ["large.json", 2, "large.json is longer than 64 MiB"],
      ["bytes.json", 2, "bytes.json is not UTF-8 text"],
      ["missing.json", 2, "missing.json cannot be read (ENOENT)"],
      [folder.path, 2, "cannot be read (EISDIR)"],
      ["cut.json", 1, "this is not JSON"],
    ] as const) {
      const { code: exitCode, out, err } = run(["compile", file, "--out", "none.json"]);
      expect([file, exitCode, out, err.trim().split("\n").length]).toEqual([file, code, "", 1]);
      expect(err).toContain(part);
    }
    expect(readdirSync(folder.path).filter((name) => name.includes("none.json"))).toEqual([]);
  }, 60_000);

  test("a reader that closes the pipe does not fail the command", () => {
    const script = `( ${BINARY} class compile ${CLASS} 2>err; echo $? >code ) | head -c 5`;
    const head = Bun.spawnSync(["sh", "-c", script], { cwd: folder.path });
    expect(head.stdout.toString()).toBe('{"pri');
    expect(readFileSync(folder.file("code"), "utf8")).toBe("0\n");
    expect(readFileSync(folder.file("err"), "utf8")).toBe(HASHES);
  }, 60_000);

  sharedTest(
    "a signal stops a compilation without leaving a file",
    async () => {
      const stderr = folder.file("stopped");
      const file = openSync(stderr, "w");
      const child = Bun.spawn([BINARY, "class", "compile", LARGE, "--out", "stopped.json"], {
        cwd: folder.path,
        stdout: "ignore",
        stderr: file,
      });
      closeSync(file);
      // The whole compilation takes three times as long.
      while (processorTimeMs(child.pid) < 500) await Bun.sleep(10);
      child.kill("SIGINT");
      expect(await child.exited).toBe(1);
      expect(readFileSync(stderr, "utf8")).toBe("error: stopped before the class was compiled\n");
      expect(readdirSync(folder.path).filter((name) => name.includes("stopped.json"))).toEqual([]);
    },
    60_000,
  );

  test("progress is shown only on a terminal", () => {
    const script = `${BINARY} class compile ${CLASS} --out seen.json >out`;
    const terminal = Bun.spawnSync(["script", "-qec", script, "/dev/null"], { cwd: folder.path });
    expect(terminal.exitCode).toBe(0);
    expect(terminal.stdout.toString()).toMatch(/^\rcompiling .* 0\.0 s/);
    expect(terminal.stdout.toString()).toMatch(/\r {20,}\r$/);
    expect(readFileSync(folder.file("out"), "utf8")).toBe(HASHES);
  }, 60_000);
});
