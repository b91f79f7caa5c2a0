import { beforeEach, describe, expect, test } from "bun:test";
import { ObjectStoreError } from "#base/errors/index.ts";
import { decodeBundle } from "#protocol/chain/index.ts";
import { blockKey, CHAIN, type ChainRecord, encodeChain } from "#services/replication/index.ts";
import { type GatewayRequestEnded, StoreSource } from "#services/sync/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";
import { SourceChain } from "#test/helpers/source-chain.ts";

const RECORD: ChainRecord = {
  chainId: "SN_TEST",
  publicKey: 0x5e9n,
  nativeFeeToken: 0x57n,
  parentFeeToken: 0xe7n,
};

let store: MemoryObjectStore;
let chain: SourceChain;
let timer: FakeTimer;
let asked: GatewayRequestEnded[];
let abort: AbortController;

beforeEach(() => {
  store = new MemoryObjectStore();
  chain = new SourceChain();
  timer = new FakeTimer();
  asked = [];
  abort = new AbortController();
  store.objects.set(CHAIN, encodeChain(RECORD));
});

function open(newestStored = -1, expected: Partial<ChainRecord> = {}): StoreSource {
  return new StoreSource({
    store,
    chain: { ...RECORD, ...expected },
    newestStored,
    timer,
    onRequestEnded: (each) => asked.push(each),
    signal: abort.signal,
  });
}

/** Publishes blocks of {@link chain} from one on. */
function publish(from = 0): void {
  for (const { number, bundle } of chain.blocks.slice(from)) {
    store.objects.set(blockKey(number), bundle);
  }
}

const count = (method: string): number =>
  store.questions.filter((each) => each.method === method).length;

/** Error that a request ends with. */
const errorOf = (question: Promise<unknown>): Promise<unknown> =>
  question.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Advances the clock until a request is settled. */
async function answered<T>(question: Promise<T>, mostMs = 60_000): Promise<T> {
  let isDone = false;
  const done = question.finally(() => {
    isDone = true;
  });
  done.catch(() => undefined);
  await settle();
  for (let ms = 0; !isDone && ms < mostMs; ms += 250) {
    timer.advance(250);
    await settle();
  }
  return done;
}

describe("the newest block of a store", () => {
  test("is the highest, with the hash of its bundle", async () => {
    chain.grow(5);
    publish();
    expect(await open().head()).toEqual(chain.head);
    expect(await open(4).head()).toEqual(chain.head);
  });

  test("is absent in an empty store", async () => {
    expect(await open().head()).toBeUndefined();
  });

  test("is detected when published, alone or with others, and read once", async () => {
    const source = open();
    chain.grow(2);
    publish();
    await source.head();
    for (const more of [1, 1, 7]) {
      chain.grow(more);
      publish();
      expect(await source.head()).toEqual(chain.head);
      const read = count("get");
      const bytes = await source.wholeBlock(chain.head.number);
      expect(decodeBundle(bytes ?? new Uint8Array()).block.header.hash).toBe(chain.head.hash);
      expect(count("get")).toBe(more === 1 ? read : read + 1);
    }
  });

  test("is read again on request, and after a distrusted response", async () => {
    const source = open();
    chain.grow(2);
    publish();
    await source.head();
    chain.grow(1);
    publish();
    await source.head();
    const right = chain.blocks[2]?.bundle;
    expect(await source.wholeBlock(2)).toEqual(right);
    store.objects.set(blockKey(2), new Uint8Array(7));
    expect(await source.wholeBlock(2)).toEqual(new Uint8Array(7));
    source.distrust();
    await source.head();
    store.objects.set(blockKey(2), right ?? new Uint8Array());
    expect(await source.wholeBlock(2)).toEqual(right);
  });

  test("is polled mostly without listings", async () => {
    const source = open();
    chain.grow(2);
    publish();
    await source.head();
    const listed = count("list");
    for (let poll = 0; poll < 20; poll++) expect(await source.head()).toEqual(chain.head);
    expect(count("list")).toBe(listed);
    for (let poll = 0; poll < 20; poll++) expect(await source.head()).toEqual(chain.head);
    expect(count("list")).toBe(listed + 1);
  });

  test("is an older one if the newest were lost, and the successor of a lost one when it arrives", async () => {
    chain.grow(40);
    publish();
    const source = open(39);
    await source.head();
    for (let lost = 20; lost < 40; lost++) store.objects.delete(blockKey(lost));
    const older = { number: 19, hash: chain.blocks[19]?.hash ?? 0n };
    expect(await open(39).head()).toEqual(older);
    for (let poll = 0; poll < 40; poll++) await source.head();
    expect(await source.head()).toEqual(older);
    const other = chain.fork(19).grow(3, 9n);
    for (const { number, bundle } of other.blocks.slice(20)) {
      store.objects.set(blockKey(number), bundle);
    }
    expect(await source.head()).toEqual(other.head);
  });

  test("is absent again if everything was lost", async () => {
    chain.grow(3);
    publish();
    const source = open(2);
    await source.head();
    store.objects.clear();
    for (let poll = 0; poll < 40; poll++) await source.head();
    expect(await source.head()).toBeUndefined();
  });

  test("has hash 0 if it is unreadable or another block's, which fails when fetched", async () => {
    chain.grow(4);
    publish();
    store.objects.set(blockKey(4), new Uint8Array(3));
    expect(await open().head()).toEqual({ number: 4, hash: 0n });
    store.objects.set(blockKey(4), chain.blocks[2]?.bundle ?? new Uint8Array());
    expect(await open().head()).toEqual({ number: 4, hash: 0n });
    // Listed, but missing.
    store.fault = ({ method, key }) => {
      if (method === "get" && key === blockKey(4)) store.objects.delete(key);
      return "none";
    };
    expect(await open().head()).toEqual({ number: 4, hash: 0n });
  });

  test("is read again after a distrusted response", async () => {
    chain.grow(4);
    publish();
    const source = open();
    await source.head();
    const before = count("get");
    source.distrust();
    expect(await source.head()).toEqual(chain.head);
    expect(count("get")).toBe(before + 1);
  });
});

describe("a store as a source", () => {
  test("returns bundles as blocks, and nothing for missing ones", async () => {
    chain.grow(2);
    publish();
    const source = open();
    expect(await source.wholeBlock(1)).toEqual(chain.blocks[1]?.bundle);
    expect(await source.wholeBlock(2)).toBeUndefined();
    expect(await source.reference(0)).toEqual({ number: 0, hash: chain.blocks[0]?.hash ?? 0n });
    expect(await source.reference(9)).toBeUndefined();
  });

  test("has nothing else", async () => {
    const source = open();
    expect(await source.preConfirmed()).toBeUndefined();
    expect(await source.contractClass()).toBeUndefined();
    expect(await source.compiledClass()).toBeUndefined();
    expect(await source.signature()).toBeUndefined();
    expect(store.questions).toEqual([]);
  });

  test("refuses a bundle that is too large, without further requests", async () => {
    store.get = () => {
      store.questions.push({ method: "get", key: "" });
      return Promise.reject(
        new ObjectStoreError("OBJECT_STORE_TOO_LARGE", "it is too large", false),
      );
    };
    const error = await errorOf(answered(open().wholeBlock(3)));
    expect(error).toMatchObject({ refusal: { check: "form", blockNumber: 3 } });
    // As one of many, then alone.
    expect(count("get")).toBe(2);
  });
});

describe("the chain of a store", () => {
  test("has key and tokens, and is read once", async () => {
    const source = open();
    expect(await source.publicKey()).toBe(RECORD.publicKey);
    expect(await source.contractAddresses()).toMatchObject({
      nativeFeeToken: 0x57n,
      parentFeeToken: 0xe7n,
    });
    expect(count("get")).toBe(1);
  });

  for (const [name, expected, message] of [
    ["chain id", { chainId: "SN_OTHER" }, /its chain id is SN_TEST, not SN_OTHER/],
    ["key", { publicKey: 7n }, /signed with the key 0x5e9, not 0x7/],
    ["native fee token", { nativeFeeToken: 8n }, /native fee token is 0x57, not 0x8/],
    ["parent fee token", { parentFeeToken: 9n }, /parent fee token is 0xe7, not 0x9/],
  ] as const) {
    test(`is another one by its ${name}`, async () => {
      const asking = open(-1, expected);
      expect(await errorOf(asking.publicKey())).toMatchObject({
        code: "SYNC_OTHER_CHAIN",
        message: expect.stringMatching(message) as string,
      });
    });
  }

  test("can have any key if none is known", async () => {
    const source = new StoreSource({
      ...{ store, newestStored: -1, timer, signal: abort.signal },
      chain: { ...RECORD, publicKey: null },
      onRequestEnded: () => undefined,
    });
    expect(await source.publicKey()).toBe(RECORD.publicKey);
  });

  test("is awaited and reported while nothing is published", async () => {
    store.objects.delete(CHAIN);
    const key = open().publicKey();
    await settle();
    expect(asked.at(-1)).toMatchObject({
      outcome: "failed",
      failure: expect.stringMatching(/no chain/) as string,
    });
    store.objects.set(CHAIN, encodeChain(RECORD));
    expect(await answered(key)).toBe(RECORD.publicKey);
  });

  test("is refused if unreadable", async () => {
    for (const text of ["", "{}", "[]", '{"chain_id":7}', "x".repeat(100)]) {
      store.objects.set(CHAIN, new TextEncoder().encode(text));
      expect(await errorOf(open().publicKey())).toMatchObject({ refusal: { check: "form" } });
    }
  });
});
