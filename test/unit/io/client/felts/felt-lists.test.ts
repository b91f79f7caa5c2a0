import { describe, expect, test } from "bun:test";
import { streamArray } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { FeltDigest, FeltDigester, type RemoteFelts } from "#io/client/index.ts";
import { FeltLists } from "#io/client/felts/felt-lists.ts";
import { readInChunks } from "#test/helpers/json-stream.ts";

const listOf = (length: number, first = 0n): Felt[] =>
  Array.from({ length }, (_, i) => first + BigInt(i));

/** Reads the felt lists of one streamed response. */
function read(lists: readonly (readonly Felt[])[]): Promise<readonly RemoteFelts[]> {
  const text = JSON.stringify(lists.map((list) => list.map(hexFromFelt)));
  return readInChunks(text, 10_007, streamArray(new FeltLists(), 0), { maxKeptBytes: 1 << 30 });
}

function digestText(felts: readonly Felt[]): string {
  const digester = new FeltDigester();
  for (const felt of felts) digester.add(felt);
  return digester.digest().text;
}

describe("FeltLists", () => {
  test("keeps lists of up to 1024 felts", async () => {
    const lists = [listOf(0), listOf(1, 1n << 250n), listOf(1_024), listOf(33)];
    expect(await read(lists)).toEqual(lists);
  });

  test("replaces longer lists by their digest", async () => {
    const [kept] = await read([listOf(1_025)]);
    expect(kept).toBeInstanceOf(FeltDigest);
    expect((kept as FeltDigest).length).toBe(1_025);
    expect((kept as FeltDigest).text).toBe(digestText(listOf(1_025)));
  });

  test("shares one digest between equal lists", async () => {
    const [first, other, again] = await read([listOf(3_000), listOf(3_000, 1n), listOf(3_000)]);
    expect(again).toBe(first as FeltDigest);
    expect((other as FeltDigest).text).not.toBe((first as FeltDigest).text);
  });

  test("keeps only digests beyond a million felts, except for short lists", async () => {
    const many = Array.from({ length: 1_030 }, (_, i) => listOf(1_024, BigInt(i)));
    const kept = await read([...many, listOf(33), listOf(32)]);
    const whole = kept.filter((list) => !(list instanceof FeltDigest));
    expect(whole).toHaveLength(1_024 + 1);
    expect(kept.at(-1)).toEqual(listOf(32));
    expect((kept.at(-2) as FeltDigest).text).toBe(digestText(listOf(33)));
  });

  test("rejects an invalid felt with its path", async () => {
    const refused = (json: string): Promise<unknown> =>
      readInChunks(json, 100, streamArray(new FeltLists(), 0));
    const texts = listOf(2_000).map((felt) => JSON.stringify(hexFromFelt(felt)));
    for (const wrong of ['"0xg"', "5", "null", "[]", '"1"', `"0x${"f".repeat(64)}"`]) {
      const json = `[[],[${texts.with(1_700, wrong).join(",")}]]`;
      expect(refused(json)).rejects.toThrow(
        "[1][1700]: expected felt (0x hex below the Stark prime)",
      );
    }
    expect(refused('["0x1"]')).rejects.toThrow("[0]: expected array of felt");
  });
});
