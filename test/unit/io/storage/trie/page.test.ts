import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { StorageError } from "#base/errors/index.ts";
import { idAt, nodeOf, PAGE_NODES, packPage, pageOf, unpackPage } from "#io/storage/trie/page.ts";
import { assertProperty } from "#test/helpers/property.ts";

const node = fc.uint8Array({ minLength: 1, maxLength: 255 });
const places = fc.array(fc.option(node, { nil: undefined }), {
  minLength: PAGE_NODES,
  maxLength: PAGE_NODES,
});

describe("a page of trie nodes", () => {
  test("returns each node, individually and with all others", () => {
    assertProperty(
      fc.property(places, fc.nat(2 ** 40), (nodes, number) => {
        const page = packPage(nodes);
        expect(page === undefined).toBe(nodes.every((one) => one === undefined));
        if (page === undefined) return;
        expect(unpackPage(page, number)).toEqual(nodes);
        for (const [place, one] of nodes.entries()) {
          const id = idAt(number, place);
          expect(pageOf(id)).toBe(number);
          expect(nodeOf(page, id)).toEqual(one);
        }
      }),
    );
  });

  test("is damaged if it is too short or too long", () => {
    const whole = packPage([undefined, Uint8Array.of(1, 2, 3), Uint8Array.of(4)]);
    const page = whole ?? new Uint8Array();
    for (let length = 0; length < page.length; length++) {
      expect(() => unpackPage(page.slice(0, length), 7)).toThrow(StorageError);
    }
    expect(() => unpackPage(Uint8Array.of(...page, 0), 7)).toThrow(StorageError);
    expect(() => nodeOf(page.slice(0, -1), 2)).toThrow("trie page 0 is damaged");
    expect(nodeOf(page, 0)).toBeUndefined();
  });

  test("rejects a node that is too long", () => {
    expect(() => packPage([new Uint8Array(256)])).toThrow(RangeError);
  });
});
