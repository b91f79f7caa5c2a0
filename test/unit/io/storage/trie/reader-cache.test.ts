import { expect, test } from "bun:test";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { PEDERSEN, proveKeys, STATE_TRIE_HEIGHT, visitStateDiff } from "#protocol/trie/index.ts";
import { fakeDiff } from "#test/helpers/fake-chain.ts";
import { StateHistory } from "#test/helpers/state-history.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { verifyProof } from "#test/helpers/verify-proof.ts";

const CONTRACT = 0x77n;
const KEYS = Array.from({ length: 200 }, (_, i) => (BigInt(i) * 0x5851f42d4c957f2dn) << 180n);

/** Sets every tenth key from `first` on, so that node ids are the same for every value. */
const diffOf = (first: number, value: Felt) =>
  fakeDiff({
    storageDiffs: new Map([
      [CONTRACT, new Map(KEYS.filter((_, i) => i % 10 === first).map((key) => [key, value]))],
    ]),
  });

test("a reader does not reuse cached tries of another fork with the same ids", async () => {
  using folder = temporaryFolder();
  const path = folder.file("chain.db");
  using history = await StateHistory.open(path);
  const reading = await openDatabase({
    path,
    chainId: "SN_TEST",
    mode: "reader",
    durability: "normal",
  });
  const reader = createChainReader(reading);
  const requireProofs = (block: number, values: ReadonlyMap<Felt, Felt>): void => {
    const tries = reader.trieAt(block);
    const root = tries.root({ kind: "storage", contractAddress: CONTRACT });
    const nodes = proveKeys(tries, root, STATE_TRIE_HEIGHT, KEYS, PEDERSEN);
    for (const key of KEYS) {
      const value = values.get(key) ?? 0n;
      expect(verifyProof(root?.hash ?? 0n, STATE_TRIE_HEIGHT, PEDERSEN, key, nodes)).toEqual(
        value === 0n ? { kind: "absent" } : { kind: "present", value },
      );
    }
  };
  const valuesOf = (...diffs: ReturnType<typeof diffOf>[]): Map<Felt, Felt> =>
    new Map(diffs.flatMap((diff) => [...(diff.storageDiffs.get(CONTRACT) ?? [])]));
  const first = diffOf(0, 1n);
  history.commit(first);
  for (const fork of [5, 6, 7]) {
    const value = BigInt(fork);
    const [second, third] = [diffOf(1, value), diffOf(2, value)];
    history.commit(second, { fork, parentFork: 0 });
    requireProofs(1, valuesOf(first, second));
    history.commit(third, { fork });
    requireProofs(2, valuesOf(first, second, third));
    requireProofs(1, valuesOf(first, second));
    requireProofs(0, valuesOf(first));
    history.revertTo(0);
    requireProofs(0, valuesOf(first));
  }
  reading.close();
});

test("triePagesRead counts pages read from the file, again after forgetTries", async () => {
  using folder = temporaryFolder();
  const path = folder.file("chain.db");
  {
    using history = await StateHistory.open(path);
    history.commit(diffOf(0, 1n));
    history.commit(diffOf(1, 2n));
    // Written pages are cached.
    expect(history.writer.triePagesRead).toBe(0);
  }
  const handle = await openDatabase({
    path,
    chainId: "SN_TEST",
    mode: "writer",
    durability: "normal",
  });
  const writer = createChainWriter(handle);
  const visit = (): number => {
    visitStateDiff(writer.trieStore, diffOf(0, 3n));
    return writer.triePagesRead;
  };
  const pages = visit();
  expect(pages).toBeGreaterThan(0);
  expect(visit()).toBe(pages);
  writer.forgetTries();
  expect(visit()).toBe(2 * pages);
  handle.close();
});
