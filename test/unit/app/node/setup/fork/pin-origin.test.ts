import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkOrigin, pinOrigin } from "#app/node/setup/fork/pin-origin.ts";
import type { ForkOptions } from "#app/node/setup/fork.ts";
import { AppError } from "#base/errors/index.ts";
import { feltFromBytes, feltFromShortString } from "#base/primitives/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import {
  createChainReader,
  type DatabaseHandle,
  openDatabase,
  type StoredChainReader,
} from "#io/storage/index.ts";
import { type OriginServer, serveChain } from "#test/helpers/origin-server.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { makeTrueChain, TRUE_CHAIN_ID } from "#test/helpers/true-chain.ts";

const LOG = createLogger({ level: "error", format: "text", write: () => undefined });
const SIGNAL = new AbortController().signal;
const BLOCKS = 12;

let folder: TemporaryFolder;
let database: DatabaseHandle;
let chain: StoredChainReader;
let server: OriginServer;

beforeAll(async () => {
  folder = temporaryFolder();
  const path = folder.file("chain");
  await makeTrueChain(path, { blocks: BLOCKS, transactions: 2 });
  const file = { path: `${path}/chain.db`, chainId: TRUE_CHAIN_ID };
  database = await openDatabase({ ...file, mode: "reader", durability: "normal" });
  chain = createChainReader(database);
  server = serveChain(chain, feltFromShortString(TRUE_CHAIN_ID), "0.10");
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  database.close();
  folder[Symbol.dispose]();
});

function optionsOf(block: ForkOptions["block"], urls = [server.url]): ForkOptions {
  return {
    urls,
    headers: [],
    block,
    timeoutMs: 5_000,
    concurrency: 4,
    maxLimitedBytes: 1 << 20,
    transaction: null,
    changedFields: new Set(),
  };
}

async function errorOf(work: Promise<unknown>): Promise<AppError | undefined> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return error instanceof AppError ? error : undefined;
}

describe("pinOrigin", () => {
  test("pins a block by number or hash, with its ancestors", async () => {
    const header = chain.header(11);
    for (const block of [
      { kind: "number", number: 11 },
      { kind: "hash", hash: header?.hash ?? 0n },
    ] as const) {
      const { pin } = await pinOrigin(optionsOf(block), LOG, SIGNAL);
      expect(pin.chainId).toBe(TRUE_CHAIN_ID);
      expect(pin.header).toEqual(header ?? expect.unreachable());
      expect(pin.ancestors.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
  });

  test("pins the newest block without a block option", async () => {
    const { pin } = await pinOrigin(optionsOf(null), LOG, SIGNAL);
    expect(pin.header.number).toBe(chain.latestNumber() ?? -1);
  });

  test("answers queries about the pinned block", async () => {
    const origin = await pinOrigin(optionsOf({ kind: "number", number: 5 }), LOG, SIGNAL);
    const [address = 0n] = chain.stateDiff(0)?.deployedContracts.keys() ?? [];
    const value = await origin.answer({ kind: "classHash", block: 5, address });
    expect(feltFromBytes(value ?? new Uint8Array(32))).toBe(chain.stateAt(5).classHashAt(address));
  });

  test("fails when the origin has no such block", async () => {
    const error = await errorOf(pinOrigin(optionsOf({ kind: "number", number: 99 }), LOG, SIGNAL));
    expect(error?.code).toBe("ORIGIN_REFUSED");
    expect(error?.message).toContain("99");
  });
});

describe("a fork before a transaction", () => {
  const before = (transaction: bigint): ForkOptions => ({ ...optionsOf(null), transaction });

  test("pins the block before its block, and has the earlier transactions of it", async () => {
    const [first, second] = chain.transactions(5);
    const { pin, original } = await pinOrigin(before(second?.hash ?? 0n), LOG, SIGNAL);
    expect(pin.header.number).toBe(4);
    expect(original?.header).toEqual(chain.header(5) ?? expect.unreachable());
    expect(original?.transactions.map(({ hash }) => hash)).toEqual([first?.hash ?? 0n]);
    expect(original?.receipts.map(({ actualFee }) => actualFee)).toEqual(
      chain
        .receipts(5)
        .slice(0, 1)
        .map(({ actualFee }) => actualFee),
    );
    expect(original?.stateDiff).toEqual(chain.stateDiff(5) ?? expect.unreachable());
  });

  test("has no earlier transactions if it is the first of its block", async () => {
    const [first] = chain.transactions(5);
    const { pin, original } = await pinOrigin(before(first?.hash ?? 0n), LOG, SIGNAL);
    expect(pin.header.number).toBe(4);
    expect(original?.transactions).toEqual([]);
  });

  test("is refused for an unknown transaction, which it names", async () => {
    const error = await errorOf(pinOrigin(before(0xbadn), LOG, SIGNAL));
    expect(error?.code).toStartWith("CONFIG");
    expect(error?.message).toContain("--fork-transaction 0xbad: the forked network has no such");
  });
});

describe("checkOrigin", () => {
  test("accepts the origin that was forked", async () => {
    const { pin } = await pinOrigin(optionsOf({ kind: "number", number: 5 }), LOG, SIGNAL);
    expect(await checkOrigin(optionsOf(null), pin, SIGNAL)).toBeUndefined();
  });

  test("refuses an origin whose fork block has another hash, with both", async () => {
    const { pin } = await pinOrigin(optionsOf({ kind: "number", number: 5 }), LOG, SIGNAL);
    const other = { ...pin, header: { ...pin.header, hash: 0xabcden } };
    const error = await errorOf(checkOrigin(optionsOf(null), other, SIGNAL));
    expect(error?.code).toBe("ORIGIN_CHANGED");
    expect(error?.message).toContain("0xabcde");
    expect(error?.message).toContain(pin.header.hash.toString(16));
  });

  test("reports an origin that does not respond, for a start without it", async () => {
    const { pin } = await pinOrigin(optionsOf({ kind: "number", number: 5 }), LOG, SIGNAL);
    const nobody = optionsOf(null, ["http://127.0.0.1:1/rpc"]);
    expect(await checkOrigin(nobody, pin, SIGNAL)).toBeString();
  });
});
