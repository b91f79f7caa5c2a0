import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { documents } from "#test/helpers/command-blocks.ts";

const ROOT = join(import.meta.dir, "../../..");

/** Hosts of package registries: users choose where they install from. */
const REGISTRY =
  /\b(?:registry\.[\w-]+\.[a-z]|(?:[\w-]+\.)*(?:npmjs\.(?:org|com)|npmmirror\.com|yarnpkg\.com|jsr\.io|crates\.io|pypi\.org|pythonhosted\.org|proxy\.golang\.org)|(?:[\w-]+\.)*(?:artifactory|verdaccio|nexus)\.)/gi;

/** Paths that exist on one machine only. */
const MACHINE_PATH = /(?<![\w.~$}/*-])(?:\/(?:work|home|root|Users|mnt|media)\/|[A-Z]:\\)[\w.-]+/g;

/** Registry hosts and machine paths in a text. */
const placesIn = (text: string): readonly string[] =>
  [...text.matchAll(REGISTRY), ...text.matchAll(MACHINE_PATH)].map(([found]) => found);

describe("placesIn", () => {
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
  ])("finds a machine-specific place in %p", (text) => {
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
  ])("finds nothing in %p", (text) => {
    expect(placesIn(text)).toEqual([]);
  });
});

describe("no package registry or machine path is named", () => {
  const texts = documents();

  test("in the documents, which include entry documents and reference", () => {
    const paths = texts.map(({ path }) => path);
    for (const path of ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/options.md"]) {
      expect(paths).toContain(path);
    }
  });

  test("in documents", () => {
    const found = texts.flatMap(({ path, text }) =>
      placesIn(text).map((place) => `${path}: ${place}`),
    );
    expect(found).toEqual([]);
  });

  test("in sources with their comments", () => {
    const files = [...new Bun.Glob("src/**/*.{ts,js,json,yaml,cairo}").scanSync({ cwd: ROOT })];
    expect(files.length).toBeGreaterThan(100);
    const found = files.flatMap((file) =>
      placesIn(readFileSync(join(ROOT, file), "utf8")).map((place) => `${file}: ${place}`),
    );
    expect(found).toEqual([]);
  });
});
