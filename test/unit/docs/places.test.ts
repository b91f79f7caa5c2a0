import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { documents } from "#test/helpers/command-blocks.ts";

const ROOT = join(import.meta.dir, "../../..");

/** Hosts that serve packages: where an install gets them is whoever installs to say. */
const REGISTRY =
  /\b(?:registry\.[\w-]+\.[a-z]|(?:[\w-]+\.)*(?:npmjs\.(?:org|com)|npmmirror\.com|yarnpkg\.com|jsr\.io|crates\.io|pypi\.org|pythonhosted\.org|proxy\.golang\.org)|(?:[\w-]+\.)*(?:artifactory|verdaccio|nexus)\.)/gi;

/** Folders that only one machine has. */
const MACHINE_PATH = /(?<![\w.~$}/*-])(?:\/(?:work|home|root|Users|mnt|media)\/|[A-Z]:\\)[\w.-]+/g;

/** What a text names that means nothing elsewhere. */
const placesIn = (text: string): readonly string[] =>
  [...text.matchAll(REGISTRY), ...text.matchAll(MACHINE_PATH)].map(([found]) => found);

describe("a place that means nothing elsewhere", () => {
  test.each([
    "see https://registry.npmjs.org/hono",
    "from npmjs.com",
    "`static.crates.io`",
    "https://files.pythonhosted.org/x",
    "npm.artifactory.example/api",
    "in /work/main",
    "(/home/someone/chain)",
    "`/root/x`",
    "file:/Users/a/b",
    String.raw`C:\Users`,
  ])("is seen in %p", (text) => {
    expect(placesIn(text)).toHaveLength(1);
  });

  test.each([
    "a registry. Each metric",
    "registry.metrics()",
    "~/.local/share/appchain",
    "docs/work/x, src/home/y",
    "$HOME/root/x",
    "https://example.org/home/page",
    "file:///$bunfs/root/src",
    "/var/lib/appchain and /tmp/chain",
  ])("is not seen in %p", (text) => {
    expect(placesIn(text)).toEqual([]);
  });
});

describe("names no package registry and no path of a machine:", () => {
  const texts = documents();

  test("the entrance and the reference are among the documents", () => {
    const paths = texts.map(({ path }) => path);
    for (const path of ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/options.md"]) {
      expect(paths).toContain(path);
    }
  });

  test("documents", () => {
    const found = texts.flatMap(({ path, text }) =>
      placesIn(text).map((place) => `${path}: ${place}`),
    );
    expect(found).toEqual([]);
  });

  test("sources, with their comments", () => {
    const files = [...new Bun.Glob("src/**/*.{ts,js,json,yaml,cairo}").scanSync({ cwd: ROOT })];
    expect(files.length).toBeGreaterThan(100);
    const found = files.flatMap((file) =>
      placesIn(readFileSync(join(ROOT, file), "utf8")).map((place) => `${file}: ${place}`),
    );
    expect(found).toEqual([]);
  });
});
