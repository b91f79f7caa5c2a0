import { expect, test } from "bun:test";
import fc from "fast-check";
import { RecentMap } from "#base/primitives/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const CAPACITY = 6;

type Step = readonly ["set" | "touch" | "get" | "delete", key: number, value: number];

const steps = fc.array(
  fc.tuple(fc.constantFrom("set", "touch", "get", "delete"), fc.nat(8), fc.nat(7)),
  { maxLength: 60 },
);

/** Reference implementation with a list of entries, oldest first. */
function naive(entries: [number, number][], [what, key, value]: Step): [number, number][] {
  const others = entries.filter(([other]) => other !== key);
  const known = entries.find(([other]) => other === key);
  if (what === "delete") return others;
  if (what === "touch") return known === undefined ? others : [...others, known];
  if (what === "get") return entries;
  const kept: [number, number][] = [...others, [key, value]];
  const weight = () => kept.reduce((sum, [, each]) => sum + each, 0);
  while (weight() > CAPACITY) kept.shift();
  return kept;
}

test("RecentMap keeps the newest entries within its capacity", () => {
  assertProperty(
    fc.property(steps, (all) => {
      const map = new RecentMap<number, number>(CAPACITY, (value) => value);
      let entries: [number, number][] = [];
      for (const step of all) {
        const [what, key, value] = step;
        const known = entries.find(([other]) => other === key)?.[1];
        if (what === "set") map.set(key, value);
        else expect(map[what](key)).toBe(known);
        entries = naive(entries, step);
        expect(map.size).toBe(entries.length);
        expect([...map.values()]).toEqual(entries.map(([, value]) => value));
        expect(map.weight).toBe(entries.reduce((sum, [, each]) => sum + each, 0));
        for (let other = 0; other <= 8; other++) {
          expect(map.get(other)).toBe(entries.find(([one]) => one === other)?.[1]);
        }
      }
    }),
  );
});

test("RecentMap counts entries by default and is empty after clear", () => {
  const map = new RecentMap<string, string>(2);
  for (const key of ["a", "b", "c"]) map.set(key, key);
  expect([map.has("a"), map.has("b"), map.has("c")]).toEqual([false, true, true]);
  map.clear();
  expect([map.size, map.weight, map.has("c")]).toEqual([0, 0, false]);
});

test("RecentMap does not keep an entry above its capacity", () => {
  const map = new RecentMap<string, string>(3, ({ length }) => length);
  map.set("a", "xx");
  map.set("b", "xxxx");
  expect([map.size, map.weight]).toEqual([0, 0]);
});
