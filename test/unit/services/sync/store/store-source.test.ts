import { beforeEach, describe, expect, test } from "bun:test";
import { ObjectStoreError } from "#base/errors/index.ts";
import { decodeBundle } from "#protocol/chain/index.ts";
import { blockKey, CHAIN, type ChainRecord, encodeChain } from "#services/replication/index.ts";
import { type GatewayAsked, StoreSource } from "#services/sync/index.ts";
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
let asked: GatewayAsked[];
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
    onAsked: (each) => asked.push(each),
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

/** What a question ends with. */
const errorOf = (question: Promise<unknown>): Promise<unknown> =>
  question.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Has the clock go on until something is answered. */
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
  test("is the highest, with the hash that its bundle tells", async () => {
    chain.grow(5);
    publish();
    expect(await open().head()).toEqual(chain.head);
    expect(await open(4).head()).toEqual(chain.head);
  });

  test("is none where there is none", async () => {
    expect(await open().head()).toBeUndefined();
  });

  test("is noticed when it is published, one or many, and read once", async () => {
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

  test("is read anew when it is asked for again, and after something wrong was told", async () => {
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

  test("is asked for without a listing while there is none", async () => {
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

  test("is an older one where the newest were lost, and the lost one's successor when that comes", async () => {
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

  test("is none again where everything was lost", async () => {
    chain.grow(3);
    publish();
    const source = open(2);
    await source.head();
    store.objects.clear();
    for (let poll = 0; poll < 40; poll++) await source.head();
    expect(await source.head()).toBeUndefined();
  });

  test("has no hash where it cannot be read, or is another block's: taking it says why", async () => {
    chain.grow(4);
    publish();
    store.objects.set(blockKey(4), new Uint8Array(3));
    expect(await open().head()).toEqual({ number: 4, hash: 0n });
    store.objects.set(blockKey(4), chain.blocks[2]?.bundle ?? new Uint8Array());
    expect(await open().head()).toEqual({ number: 4, hash: 0n });
    // Listed, and not there.
    store.fault = ({ method, key }) => {
      if (method === "get" && key === blockKey(4)) store.objects.delete(key);
      return "none";
    };
    expect(await open().head()).toEqual({ number: 4, hash: 0n });
  });

  test("is looked at anew after something wrong was told", async () => {
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

describe("of a store", () => {
  test("a block is its bundle; what is not there is none", async () => {
    chain.grow(2);
    publish();
    const source = open();
    expect(await source.wholeBlock(1)).toEqual(chain.blocks[1]?.bundle);
    expect(await source.wholeBlock(2)).toBeUndefined();
    expect(await source.reference(0)).toEqual({ number: 0, hash: chain.blocks[0]?.hash ?? 0n });
    expect(await source.reference(9)).toBeUndefined();
  });

  test("nothing else is told", async () => {
    const source = open();
    expect(await source.preConfirmed()).toBeUndefined();
    expect(await source.contractClass()).toBeUndefined();
    expect(await source.compiledClass()).toBeUndefined();
    expect(await source.signature()).toBeUndefined();
    expect(store.questions).toEqual([]);
  });

  test("a bundle that is too large is refused, and asked for no more", async () => {
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
  test("tells key and tokens, and is read once", async () => {
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

  test("may have any key where none is known", async () => {
    const source = new StoreSource({
      ...{ store, newestStored: -1, timer, signal: abort.signal },
      chain: { ...RECORD, publicKey: null },
      onAsked: () => undefined,
    });
    expect(await source.publicKey()).toBe(RECORD.publicKey);
  });

  test("is waited for where nobody has published yet, and that is said", async () => {
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

  test("is refused where it cannot be read", async () => {
    for (const text of ["", "{}", "[]", '{"chain_id":7}', "x".repeat(100)]) {
      store.objects.set(CHAIN, new TextEncoder().encode(text));
      expect(await errorOf(open().publicKey())).toMatchObject({ refusal: { check: "form" } });
    }
  });
});
