import { expect, test } from "bun:test";
import { shownWord } from "#base/primitives/index.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { run } from "../run.ts";

const folder = useFolder();

const importing = (...words: readonly string[]) =>
  run(["snapshot", "import", ...words, "--base-path", folder.file("never")]);

test("reads nothing without a hash or a key", async () => {
  const { code, err } = await importing("/nowhere");
  expect(code).toBe(2);
  expect(err).toContain("a snapshot proves nothing by itself");
  // A configuration without a key does not help either.
  const devnet = await importing("/nowhere", "--preset", "devnet");
  expect(devnet.err).toContain("a snapshot proves nothing by itself");
});

test("accepts the configuration's key, and refuses a different one in addition", async () => {
  const known = await importing("/nowhere", "--preset", "sepolia");
  expect(known.err).toContain("manifest.json: it is not in /nowhere");
  expect(known.code).toBe(1);
  const two = await importing("/nowhere", "--preset", "sepolia", "--public-key", "0x5");
  expect(two.err).toContain("--public-key: differs from sequencer_public_key");
  expect(two.code).toBe(2);
});

test("refuses invalid sources and targets by name", async () => {
  const hash = ["--block-hash", "0x1"];
  const wrong = ["ftp://host/x", "s3://B", "http://host/x?y=1", "http://", "https://host/x#y"];
  for (const word of wrong) {
    const { code, err } = await importing(word, ...hash);
    expect([word, code]).toEqual([word, 2]);
    expect(err).toContain(shownWord(word));
  }
  for (const word of ["http://host/x", "ftp://host/x", "s3://B"]) {
    const { code, err } = await run(["snapshot", "export", word]);
    expect([word, code]).toEqual([word, 2]);
    expect(err).toContain(shownWord(word));
  }
});

test("names the missing keys of a store", async () => {
  const { code, err } = await importing("s3://bucket/x", "--block-hash", "0x1");
  expect(code).toBe(2);
  expect(err).toContain("AWS_ACCESS_KEY_ID");
});

test("requires the form of words, hashes and numbers", async () => {
  for (const words of [[], ["a", "b"], ["a", "--block-hash", "12"], ["a", "--public-key", "x"]]) {
    expect((await run(["snapshot", "import", ...words])).code).toBe(2);
  }
  for (const words of [[], ["a", "--at", "-1"], ["a", "--at", "x"]]) {
    expect((await run(["snapshot", "export", ...words])).code).toBe(2);
  }
});
