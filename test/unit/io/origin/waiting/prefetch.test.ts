import { expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import { bytesFromFelt } from "#base/primitives/index.ts";
import { type OriginQuery, originQueryText, prefetch } from "#io/origin/index.ts";

const CLASS_HASH: OriginQuery = { kind: "classHash", block: 3, address: 7n };

/** Texts of the values that a prefetch obtains, if class hashes are `classHash`. */
async function obtained(query: OriginQuery, classHash: bigint): Promise<readonly string[]> {
  const asked: string[] = [];
  const answer = async (each: OriginQuery): Promise<Uint8Array> => {
    asked.push(originQueryText(each));
    return bytesFromFelt(classHash);
  };
  await prefetch({ answer }, query);
  return asked;
}

test("the class follows the class hash of a contract", async () => {
  const classQuery: OriginQuery = { kind: "class", block: 3, classHash: 9n };
  expect(await obtained(CLASS_HASH, 9n)).toEqual([CLASS_HASH, classQuery].map(originQueryText));
});

test("nothing follows where there is no contract, or after other values", async () => {
  const nonce: OriginQuery = { kind: "nonce", block: 3, address: 7n };
  expect(await obtained(CLASS_HASH, 0n)).toEqual([originQueryText(CLASS_HASH)]);
  expect(await obtained(nonce, 9n)).toEqual([originQueryText(nonce)]);
});

test("a value that the origin does not return is no failure", async () => {
  const lost = new OriginError("ORIGIN_UNAVAILABLE", "down", true);
  expect(await prefetch({ answer: () => Promise.reject(lost) }, CLASS_HASH)).toBeUndefined();
});
