import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { NO_L1 } from "#app/node/l1/l1-connection.ts";
import type { NodeOptions } from "#app/node/setup/node-options.ts";
import { setupOf } from "#app/node/setup/node-setup.ts";
import { notePublished, publishedBlocks } from "#app/node/storage/folder/published-blocks.ts";
import {
  type OpenedStorage,
  openStorage,
  type StartPrices,
  takeFolder,
} from "#app/node/storage/part.ts";
import { AppError } from "#base/errors/index.ts";
import { nodeHost } from "#test/helpers/node-host.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { replicationOptions } from "#test/helpers/options.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

const PRICES = {
  l1GasWei: 11n,
  l1DataGasWei: 12n,
  friPerWei: { numerator: 13n, denominator: 1n },
} as const;
const FINDING = "L1 gives no answer";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

/**
 * Opens the chain of the folder, uses it, makes it stay, and closes it.
 * @returns its prices, or the refusal
 */
async function opened(
  changed: Partial<NodeOptions>,
  l1: StartPrices,
  use: (storage: OpenedStorage) => unknown = () => undefined,
  basePath = "data",
) {
  const options = await nodeOptions({ basePath: folder.file(basePath), ...changed });
  await using disposables = new AsyncDisposableStack();
  const host = nodeHost({ disposables });
  const store = { mayBegin: () => Promise.resolve(true) };
  try {
    const taken = await takeFolder(
      options,
      { setup: setupOf(options, null), origin: null, l1, store },
      host,
    );
    const storage = await openStorage(options, { folder: taken, l1 }, host);
    await use(storage);
    taken.prepared.folder.keep();
    return storage.setup.l1Prices;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

const answering: StartPrices = { ...NO_L1, startPrices: PRICES };
const silent: StartPrices = { ...NO_L1, finding: FINDING };

test("a new chain starts with the prices of L1", async () => {
  expect(await opened({}, answering)).toEqual(PRICES);
});

test("a new chain does not start while L1 answers no prices, and leaves nothing behind", async () => {
  expect(await opened({}, silent)).toBe("NODE_NO_L1_PRICES");
  expect(existsSync(folder.file("data"))).toBe(false);
});

test("a chain resumes with the prices of its newest block while L1 answers none", async () => {
  await opened({}, answering);
  const prices = await opened({}, silent);
  expect(prices).toMatchObject({ l1GasWei: 11n, l1DataGasWei: 12n });
});

test("a reset keeps the old chain while L1 answers no prices", async () => {
  await opened({}, answering);
  expect(await opened({ reset: true }, silent)).toBe("NODE_NO_L1_PRICES");
  expect(await opened({}, silent)).toMatchObject({ l1GasWei: 11n });
});

test("the folder is free again once the storage is closed", async () => {
  await opened({}, answering);
  expect(await opened({}, answering)).toEqual(PRICES);
});

test("only a sequencer that no longer shares its chain forgets what it has published", async () => {
  const published = { store: "s3://chain at http://store", through: 0 };
  const found: unknown[] = [];
  const look = ({ stored }: OpenedStorage) => found.push(publishedBlocks(stored));
  await opened({}, answering, ({ setup }) => notePublished(setup, published));
  await opened({ replication: replicationOptions() }, answering, look);
  await opened({}, answering, look);
  expect(found).toEqual([published, undefined]);
});
