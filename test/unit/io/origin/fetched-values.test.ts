import { expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import { FetchedValues } from "#io/origin/fetched-values.ts";
import { OriginMissing } from "#io/origin/missing.ts";
import { type OriginQuery, originQueryText } from "#io/origin/query.ts";

const nonceOf = (address: bigint): OriginQuery => ({ kind: "nonce", block: 1, address });

function world(value: (query: OriginQuery) => Promise<Uint8Array | null>) {
  const asked: string[] = [];
  const values = new FetchedValues({
    answer(query) {
      asked.push(originQueryText(query));
      return value(query);
    },
  });
  return { values, asked };
}

test("work is repeated until no value is missing, and each is fetched once", async () => {
  const { values, asked } = world(() => Promise.resolve(new Uint8Array([1])));
  let runs = 0;
  const work = (): number => {
    runs++;
    return [1n, 2n, 1n].reduce((sum, one) => sum + (values.ask(nonceOf(one))?.[0] ?? 0), 0);
  };
  expect(await values.run(work)).toBe(3);
  expect(runs).toBe(3);
  expect(asked).toEqual(["nonce 1 0x1", "nonce 1 0x2"]);
});

test("an absent value is known too", async () => {
  const { values, asked } = world(() => Promise.resolve(null));
  expect(await values.run(() => values.ask(nonceOf(1n)))).toBeNull();
  await values.fetch([nonceOf(1n)]);
  expect(asked).toHaveLength(1);
});

test("a value that is not fetched is an error with its query", () => {
  const { values } = world(() => Promise.resolve(null));
  expect(() => values.ask(nonceOf(1n))).toThrow(OriginMissing);
});

test("fails with the errors of the work and of the origin", async () => {
  const lost = new OriginError("ORIGIN_UNAVAILABLE", "gone", true);
  const { values } = world(() => Promise.reject(lost));
  expect(values.run(() => values.ask(nonceOf(1n)))).rejects.toThrow(lost);
  expect(values.run(() => Promise.reject(new RangeError("wrong")))).rejects.toThrow("wrong");
  await Bun.sleep(0);
});
