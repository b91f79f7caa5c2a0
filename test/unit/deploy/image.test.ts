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

/** Generated files, which must be generated again in the image. */
const MADE = /\.(?:wasm|generated\.ts|casm\.json)$|^(?:contracts|src\/kernels)\/[^/]+\/build\//;

describe("the build context", () => {
  const sent = (path: string): boolean => isInContext(IGNORE, path);

  test("contains every source but no generated file", () => {
    const wrong = ["bin", "src", "scripts", "presets", "contracts"]
      .flatMap(filesBelow)
      .filter((path) => sent(path) === MADE.test(path));
    expect(wrong).toEqual([]);
  });

  test("contains what installation and the image need", () => {
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
  ])("does not contain %s", (path) => {
    expect(sent(path)).toBe(false);
  });
});

describe("the image", () => {
  test("is built by the common build script", () => {
    expect(INSTRUCTIONS).toContain("RUN ./scripts/build");
  });

  test("contains only the program and two small files", () => {
    expect(LAST_STAGE.filter((each) => each.startsWith("COPY")).map(lastSource)).toEqual([
      "/build/dist/appchain",
      "LICENSE",
      "deploy/healthcheck",
    ]);
  });

  test("runs as a non-root user, by number, so that a cluster can verify it", () => {
    const users = LAST_STAGE.filter((each) => each.startsWith("USER "));
    expect(users).toEqual(["USER 10001:10001"]);
    expect(LAST_STAGE.indexOf("USER 10001:10001")).toBeLessThan(
      LAST_STAGE.findIndex((each) => each.startsWith("VOLUME ")),
    );
  });

  test("forwards signals to the node without a shell in between", () => {
    expect(LAST_STAGE).toContain('ENTRYPOINT ["appchain"]');
    expect(LAST_STAGE).toContain('CMD ["help"]');
  });

  test("stores the chain in the volume", () => {
    expect(LAST_STAGE).toContain("VOLUME /data");
    expect(LAST_STAGE).toContain("ENV APPCHAIN_BASE_PATH=/data");
  });
});

function lastSource(copy: string): string {
  return copy.split(" ").at(-2) ?? "";
}

describe("the compose file", () => {
  test("has an ephemeral devnet and a sequencer that keeps its chain", () => {
    const services = composeServices();
    expect([...services.keys()]).toEqual(["devnet", "sequencer"]);
    expect(services.get("devnet")?.command).toContain("--ephemeral");
    expect(services.get("devnet")?.volumes).toBeUndefined();
    expect(services.get("sequencer")?.command).not.toContain("--ephemeral");
    expect(services.get("sequencer")?.volumes).toEqual(["chain:/data"]);
  });

  test("opens ports on this machine only, a different one for each service", () => {
    const ports = [...composeServices().values()].flatMap(({ ports }) => ports);
    expect(ports).toEqual(["127.0.0.1:9944:9944", "127.0.0.1:9945:9944"]);
  });

  test("gives its services minimal privileges", () => {
    for (const service of composeServices().values()) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      });
    }
  });
});
