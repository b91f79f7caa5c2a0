import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { EMPTY_STATE_DIFF, type Event } from "#protocol/chain/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { type ChainFolder, openChainFolder } from "#test/helpers/chain-folder.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";

let chain: ChainFolder;

beforeEach(async () => {
  chain = await openChainFolder();
});

afterEach(() => chain[Symbol.dispose]());

/** Commits block `number` with these events in one transaction. */
function commit(number: number, events: readonly Event[]): void {
  const transactionHash = 100n + BigInt(number);
  chain.writer.commitBlock(
    blockCommit(number, {
      transactions: [{ hash: transactionHash, transaction: INVOKE_V3 }],
      receipts: [fakeReceipt({ transactionHash, events })],
    }),
  );
}

const eventOf = (fromAddress: bigint): Event => ({ fromAddress, keys: [1n], data: [] });
const from = (...addresses: bigint[]) => ({ addresses, keys: [] });

describe("nextEventBlock", () => {
  beforeEach(() => {
    [[eventOf(10n)], [], [eventOf(12n)], [eventOf(10n)]].forEach((events, n) => commit(n, events));
  });

  test("returns the first matching block in the range", () => {
    expect(chain.reader.nextEventBlock(from(10n), 0, 3)).toBe(0);
    expect(chain.reader.nextEventBlock(from(10n), 1, 3)).toBe(3);
    expect(chain.reader.nextEventBlock(from(), 1, 3)).toBe(2);
  });

  test("ignores blocks outside the range", () => {
    expect(chain.reader.nextEventBlock(from(10n), 1, 2)).toBeUndefined();
    expect(chain.reader.nextEventBlock(from(10n), 3, 2)).toBeUndefined();
    expect(chain.reader.nextEventBlock(from(10n), 4, 2 ** 53)).toBeUndefined();
    expect(chain.reader.nextEventBlock(from(10n), 1e300, 1e300)).toBeUndefined();
  });

  test("returns undefined if nothing matches", () => {
    expect(chain.reader.nextEventBlock(from(11n), 0, 3)).toBeUndefined();
  });

  test("ignores reverted blocks", () => {
    chain.writer.revertTo(2);
    expect(chain.reader.nextEventBlock(from(10n), 1, 3)).toBeUndefined();
    commit(3, [eventOf(11n)]);
    expect(chain.reader.nextEventBlock(from(10n), 1, 3)).toBeUndefined();
    expect(chain.reader.nextEventBlock(from(11n), 1, 3)).toBe(3);
  });
});

describe("lastStorageUpdate", () => {
  const write = (number: number, value: bigint) =>
    chain.writer.commitBlock(
      blockCommit(number, {
        stateDiff: {
          ...EMPTY_STATE_DIFF,
          storageDiffs: new Map(value === -1n ? [] : [[7n, new Map([[5n, value]])]]),
        },
      }),
    );

  test("returns the newest block up to a number that wrote the slot, even to zero", () => {
    [1n, -1n, 0n, -1n, 4n].forEach((value, number) => write(number, value));
    const last = [-1, 0, 1, 2, 3, 4, 5].map((n) => chain.reader.lastStorageUpdate(7n, 5n, n));
    expect(last).toEqual([undefined, 0, 0, 2, 2, 4, 4]);
    expect(chain.reader.lastStorageUpdate(7n, 6n, 4)).toBeUndefined();
    expect(chain.reader.lastStorageUpdate(8n, 5n, 4)).toBeUndefined();
  });

  test("ignores reverted blocks", () => {
    [1n, 2n].forEach((value, number) => write(number, value));
    chain.writer.revertTo(0);
    expect(chain.reader.lastStorageUpdate(7n, 5n, 9)).toBe(0);
  });
});
