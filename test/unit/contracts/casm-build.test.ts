import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readCasm } from "../../../scripts/contracts-lib/artifacts.ts";
import { buildCasm, type CasmBuild } from "../../../scripts/contracts-lib/casm-build.ts";
import { CONTRACTS_FOLDER } from "../../../scripts/contracts-lib/folders.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const SIERRA = readFileSync(`${CONTRACTS_FOLDER}/universal_deployer.sierra.json`, "utf8");

/** A source folder with the class of `mine`, and a build folder. */
function workshop(sierra: string) {
  const folder = temporaryFolder();
  const write = (text: string): void => writeFileSync(folder.file("mine.sierra.json"), text);
  write(sierra);
  const casm = folder.file("build");
  const build = async (): Promise<CasmBuild | undefined> =>
    (await buildCasm(["mine"], { sierra: folder.path, casm }))[0];
  return {
    build,
    write,
    casm,
    output: `${casm}/mine.casm.json`,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe("buildCasm", () => {
  test("builds a class once", async () => {
    using place = workshop(SIERRA);
    expect(await place.build()).toEqual({ name: "mine", outcome: "built" });
    expect(readFileSync(place.output, "utf8")).toBe(readCasm("universal_deployer"));
    writeFileSync(place.output, "kept");
    expect(await place.build()).toEqual({ name: "mine", outcome: "unchanged" });
    expect(readFileSync(place.output, "utf8")).toBe("kept");
  });

  test("rebuilds a missing file, a changed class, or the output of another compiler", async () => {
    using place = workshop(SIERRA);
    await place.build();
    rmSync(place.output);
    expect((await place.build())?.outcome).toBe("built");
    place.write(`${SIERRA} `);
    expect((await place.build())?.outcome).toBe("built");
    writeFileSync(`${place.casm}/mine.hash`, "of another compiler");
    expect((await place.build())?.outcome).toBe("built");
    expect(readFileSync(place.output, "utf8")).toBe(readCasm("universal_deployer"));
    expect(readdirSync(place.casm).toSorted()).toEqual(["mine.casm.json", "mine.hash"]);
  });

  test("reports the reason when a class does not compile, on each call", async () => {
    using place = workshop("{}");
    for (let turn = 0; turn < 2; turn++) {
      const build = await place.build();
      expect(build?.outcome).toBe("failed");
      expect(build?.outcome === "failed" ? build.reason : "").toStartWith("sierra_program: ");
    }
    expect(existsSync(place.output)).toBe(false);
  });
});
