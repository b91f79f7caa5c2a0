import { describe, expect, test } from "bun:test";
import {
  composeServices,
  filesBelow,
  instructionsOf,
  isInContext,
  textOf,
} from "#test/helpers/deploy.ts";

const IGNORE = textOf(".dockerignore");
const INSTRUCTIONS = instructionsOf(textOf("Dockerfile"));
const LAST_STAGE = INSTRUCTIONS.slice(
  INSTRUCTIONS.findLastIndex((each) => each.startsWith("FROM ")),
);

/** What is made from sources and must be made anew in the image. */
const MADE = /\.(?:wasm|generated\.ts|casm\.json)$|^(?:contracts|src\/kernels)\/[^/]+\/build\//;

describe("what is sent to the builder", () => {
  const sent = (path: string): boolean => isInContext(IGNORE, path);

  test("every source, and nothing that was made here", () => {
    const wrong = ["bin", "src", "scripts", "presets", "contracts"]
      .flatMap(filesBelow)
      .filter((path) => sent(path) === MADE.test(path));
    expect(wrong).toEqual([]);
  });

  test("what an install needs, and what the image copies", () => {
    for (const path of ["package.json", "bun.lock", "bunfig.toml", "tsconfig.json", "LICENSE"]) {
      expect([path, sent(path)]).toEqual([path, true]);
    }
    expect(sent("deploy/healthcheck")).toBe(true);
  });

  test.each([
    ".git/config",
    ".bun/node_modules/bun/package.json",
    ".env",
    "node_modules/hono/package.json",
    "dist/appchain",
    "test/unit/deploy/image.test.ts",
    "docs/rpc.md",
    "appchain-data/SN_MAIN/block-signing.key",
    "admin.token",
  ])("not %s", (path) => {
    expect(sent(path)).toBe(false);
  });
});

describe("the image", () => {
  test("is built by the script that everybody builds with", () => {
    expect(INSTRUCTIONS).toContain("RUN ./scripts/build");
  });

  test("copies nothing but the program and two small files", () => {
    expect(LAST_STAGE.filter((each) => each.startsWith("COPY")).map(lastSource)).toEqual([
      "/build/dist/appchain",
      "LICENSE",
      "deploy/healthcheck",
    ]);
  });

  test("runs as another user than root, by number, so that a cluster can tell", () => {
    const users = LAST_STAGE.filter((each) => each.startsWith("USER "));
    expect(users).toEqual(["USER 10001:10001"]);
    expect(LAST_STAGE.indexOf("USER 10001:10001")).toBeLessThan(
      LAST_STAGE.findIndex((each) => each.startsWith("VOLUME ")),
    );
  });

  test("hands signals to the node: no shell stands in between", () => {
    expect(LAST_STAGE).toContain('ENTRYPOINT ["appchain"]');
    expect(LAST_STAGE).toContain('CMD ["help"]');
  });

  test("keeps the chain where the volume is", () => {
    expect(LAST_STAGE).toContain("VOLUME /data");
    expect(LAST_STAGE).toContain("ENV APPCHAIN_BASE_PATH=/data");
  });
});

function lastSource(copy: string): string {
  return copy.split(" ").at(-2) ?? "";
}

describe("the compose file", () => {
  test("has a devnet that forgets and a sequencer that keeps its chain", () => {
    const services = composeServices();
    expect([...services.keys()]).toEqual(["devnet", "sequencer"]);
    expect(services.get("devnet")?.command).toContain("--ephemeral");
    expect(services.get("devnet")?.volumes).toBeUndefined();
    expect(services.get("sequencer")?.command).not.toContain("--ephemeral");
    expect(services.get("sequencer")?.volumes).toEqual(["chain:/data"]);
  });

  test("opens ports on this machine only, and another one for each service", () => {
    const ports = [...composeServices().values()].flatMap(({ ports }) => ports);
    expect(ports).toEqual(["127.0.0.1:9944:9944", "127.0.0.1:9945:9944"]);
  });

  test("gives its services no right that they do not need", () => {
    for (const service of composeServices().values()) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      });
    }
  });
});
