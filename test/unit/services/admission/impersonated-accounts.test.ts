import { describe, expect, test } from "bun:test";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import {
  createImpersonationPage,
  ImpersonatedAccounts,
  MAX_IMPERSONATED,
} from "#services/admission/index.ts";

/** The same page as two threads see it. */
function accounts() {
  const page = createImpersonationPage();
  return { page, writer: new ImpersonatedAccounts(page), reader: new ImpersonatedAccounts(page) };
}

describe("the impersonated accounts of a development chain", () => {
  test("are initially none, not even address 0", () => {
    const { reader } = accounts();
    expect([0n, 1n, FIELD_PRIME - 1n].map((address) => reader.has(address))).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("are the added and not removed ones, in every thread", () => {
    const { writer, reader } = accounts();
    // Each differs from the others in one word of 64 bits only.
    const addresses = [0n, 1n, 1n << 64n, 1n << 128n, 1n << 192n, FIELD_PRIME - 1n];
    const seen = () => addresses.map((address) => reader.has(address));
    for (const address of addresses) expect(writer.add(address)).toBe(true);
    expect(seen()).toEqual(addresses.map(() => true));
    expect(reader.has(2n)).toBe(false);
    for (const [index, address] of addresses.entries()) {
      writer.remove(address);
      expect(seen()).toEqual(addresses.map((_, i) => i > index));
    }
  });

  test("count once, however often they are added", () => {
    const { writer, reader } = accounts();
    for (let i = 0; i < MAX_IMPERSONATED + 1; i++) expect(writer.add(7n)).toBe(true);
    writer.remove(7n);
    writer.remove(7n);
    expect(reader.has(7n)).toBe(false);
  });

  test("are limited by the size of the page", () => {
    const { writer, reader } = accounts();
    for (let i = 0; i < MAX_IMPERSONATED; i++) expect(writer.add(BigInt(i))).toBe(true);
    expect(writer.add(BigInt(MAX_IMPERSONATED))).toBe(false);
    expect(reader.has(BigInt(MAX_IMPERSONATED))).toBe(false);
    expect(writer.add(0n)).toBe(true);
    writer.remove(3n);
    expect(writer.add(BigInt(MAX_IMPERSONATED))).toBe(true);
    expect(
      [0n, 3n, BigInt(MAX_IMPERSONATED - 1), BigInt(MAX_IMPERSONATED)].map((a) => reader.has(a)),
    ).toEqual([true, false, true, true]);
  });

  test("are all accounts while setAll is on, and later the ones named explicitly", () => {
    const { writer, reader } = accounts();
    writer.add(1n);
    writer.setAll(true);
    writer.remove(1n);
    writer.add(2n);
    expect([1n, 2n, 3n].map((address) => reader.has(address))).toEqual([true, true, true]);
    writer.setAll(false);
    expect([1n, 2n, 3n].map((address) => reader.has(address))).toEqual([false, true, false]);
  });

  test("are none after clear", () => {
    const { writer, reader } = accounts();
    writer.setAll(true);
    writer.add(1n);
    writer.clear();
    expect(reader.has(1n)).toBe(false);
    expect(writer.add(2n)).toBe(true);
    expect([1n, 2n].map((address) => reader.has(address))).toEqual([false, true]);
  });

  test("are not read during a change", async () => {
    const { page, reader } = accounts();
    const counter = new BigUint64Array(page);
    // State in the middle of a write; another thread finishes it.
    Atomics.add(counter, 0, 1n);
    const source = `onmessage = ({ data }) => {
      const words = new BigUint64Array(data);
      postMessage("begun");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      words[3] = 9n;
      words[2] = 1n;
      Atomics.add(words, 0, 1n);
    };`;
    const worker = new Worker(URL.createObjectURL(new Blob([source])));
    const begun = new Promise((resolve) => worker.addEventListener("message", resolve));
    worker.postMessage(page);
    await begun;
    expect(reader.has(9n)).toBe(true);
    worker.terminate();
  });
});
