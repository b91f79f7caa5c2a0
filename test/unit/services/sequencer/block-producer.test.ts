import { encodedTransaction } from "#protocol/chain/index.ts";
import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { CairoVm } from "#engine/cairo/types.ts";
import { balanceKey, validateTransaction } from "#engine/execution/index.ts";
import type { Candidate } from "#services/admission/index.ts";
import {
  BlockProducer,
  type ProducerSettings,
  type ProducerSource,
  NO_CHANGE,
} from "#services/sequencer/index.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER, SEQUENCER, STRK, transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";
import { UNWATCHED } from "#test/helpers/producer-source.ts";

const machine = createCairoVm();
const NOW_MS = 1_700_000_000_500;
const PARENT = { timestamp: 1_700_000_000, l2Gas: { priceFri: 1n, gasUsed: 0n } };

function settings(parts: Partial<ProducerSettings> = {}): ProducerSettings {
  const { chainId, feeTokens, constants, info } = transferBlock();
  return {
    chainId,
    feeTokens,
    constants,
    protocolVersion: info.protocolVersion,
    bouncer: { limits: {} },
    sequencerAddress: SEQUENCER,
    l1DaMode: "BLOB",
    l2GasPricing: { kind: "fixed", priceFri: 1n },
    chargeFees: true,
    free: null,
    takesImpersonated: false,
    ...parts,
  };
}

const source: ProducerSource = {
  ...UNWATCHED,
  processorMs: () => 0,
  clock: { nowMs: () => NOW_MS },
  blockHash: (number) => BigInt(number) + 1000n,
  l1Prices: () => ({
    l1GasWei: 1n,
    l1DataGasWei: 1n,
    friPerWei: { numerator: 1n, denominator: 1n },
  }),
};

function opened(parts: Partial<ProducerSettings> = {}, vm: CairoVm = machine): BlockProducer {
  const producer = new BlockProducer(vm, settings(parts), source);
  producer.open(5, PARENT, transferState());
  return producer;
}

/** A producer whose next block waits for its first transaction. */
function prepared(clock: ProducerSource["clock"], l1GasWei = () => 1n): BlockProducer {
  const l1Prices = () => ({ ...source.l1Prices(), l1GasWei: l1GasWei() });
  const producer = new BlockProducer(machine, settings(), { ...source, clock, l1Prices });
  producer.prepare(11, PARENT, transferState());
  return producer;
}

function candidate(nonce: bigint, options: Parameters<typeof transfer>[1] = {}): Candidate {
  return { transaction: encodedTransaction(transfer(nonce, options)), prevalidated: undefined };
}

describe("a block producer", () => {
  sharedTest("returns the changes of each batch, and the whole block at its seal", () => {
    const producer = opened();
    const first = producer.execute([candidate(0n), candidate(1n)]);
    const second = producer.execute([candidate(2n)]);
    const { draft, delta } = producer.seal();
    expect([first.delta?.sequence, second.delta?.sequence, delta.sequence]).toEqual([1, 2, 3]);
    expect(first.delta?.diff.nonces.get(SENDER)).toBe(2n);
    expect(draft.transactions).toHaveLength(3);
    expect(draft.stateDiff.nonces.get(SENDER)).toBe(3n);
    expect(producer.isOpen).toBe(false);
  });

  sharedTest("gives back transactions ahead of their nonce, and rejects invalid ones", () => {
    const stale = candidate(0n);
    const ahead = candidate(7n);
    const producer = opened();
    producer.execute([candidate(0n)]);
    const result = producer.execute([ahead, stale]);
    expect(result.requeued).toEqual([ahead.transaction.hash]);
    expect(result.rejected.map(({ hash }) => hash)).toEqual([stale.transaction.hash]);
    expect(result.delta).toBeUndefined();
  });

  sharedTest("gives back everything from the first transaction that does not fit", () => {
    const producer = opened({ bouncer: { limits: { transactionCount: 1n } } });
    const batch = [0n, 1n, 2n].map((nonce) => candidate(nonce));
    const { full, requeued } = producer.execute(batch);
    const rest = batch.slice(1).map(({ transaction }) => transaction.hash);
    expect([full, requeued]).toEqual([true, rest]);
  });

  sharedTest("starts nothing after a cancelled transaction", () => {
    const cancelling: CairoVm = {
      memory: machine.memory,
      prepare: machine.prepare.bind(machine),
      run: () => ({ kind: "cancelled" }),
      runLegacy: () => ({ kind: "cancelled" }),
    };
    const begun: bigint[] = [];
    const producer = new BlockProducer(cancelling, settings(), {
      ...source,
      beforeTransaction: (hash) => begun.push(hash),
    });
    producer.open(5, PARENT, transferState());
    const batch = [0n, 1n, 2n].map((nonce) => candidate(nonce));
    const hashes = batch.map(({ transaction }) => transaction.hash);
    expect(producer.execute(batch)).toMatchObject({ requeued: hashes, full: false });
    expect(begun).toEqual(hashes.slice(0, 1));
  });

  sharedTest(
    "executes what its pace admits, reports the processor time, and ends on request",
    () => {
      const took: (readonly [bigint, number])[] = [];
      let nowMs = 0;
      const producer = new BlockProducer(machine, settings(), {
        ...source,
        processorMs: () => (nowMs += 40),
        pace: {
          mayExecute: ({ transaction: { transaction } }) =>
            transaction.version !== 0 && transaction.nonce !== 7n,
          executed({ transaction }, processorMs) {
            took.push([transaction.hash, processorMs]);
            return took.length < 2;
          },
        },
      });
      producer.open(5, PARENT, transferState());
      const batch = [7n, 0n, 1n, 2n].map((nonce) => candidate(nonce));
      const [held = 0n, first = 0n, second = 0n, rest = 0n] = batch.map(
        (each) => each.transaction.hash,
      );
      const { requeued, full } = producer.execute(batch);
      expect([requeued, full]).toEqual([[held, rest], false]);
      expect(producer.transactionHashes()).toEqual([first, second]);
      expect(took).toEqual([
        [first, 40],
        [second, 40],
      ]);
    },
  );

  sharedTest("runs less code for a transaction with its validation", () => {
    const { hash, transaction } = transfer(0n);
    const context = { ...transferBlock(), ...settings() };
    const info = { ...context.info, timestamp: Math.floor(NOW_MS / 1000) };
    const admitted = validateTransaction(
      machine,
      transferState(),
      { ...context, info },
      {
        hash,
        transaction,
      },
    );
    const prevalidated = admitted.kind === "valid" ? admitted.prevalidated : undefined;
    const runsWith = (validation: Candidate["prevalidated"]): number => {
      let runs = 0;
      const vm: CairoVm = {
        memory: machine.memory,
        prepare: machine.prepare.bind(machine),
        runLegacy: machine.runLegacy.bind(machine),
        run: (run) => {
          runs++;
          return machine.run(run);
        },
      };
      const batch = [
        { transaction: encodedTransaction({ hash, transaction }), prevalidated: validation },
      ];
      expect(opened({}, vm).execute(batch).delta?.transactions).toHaveLength(1);
      return runs;
    };
    expect(runsWith(undefined) - runsWith(prevalidated)).toBe(1);
  });

  sharedTest("charges no fee on a chain without fees", () => {
    const producer = opened({ chargeFees: false });
    const { delta } = producer.execute([candidate(0n)]);
    expect(delta?.receipts[0]).toMatchObject({ actualFee: 0n, events: [expect.anything()] });
    expect(delta?.diff.storageDiffs.get(STRK)?.has(balanceKey(SEQUENCER))).toBe(false);
  });

  sharedTest("leaves no block behind if a batch includes nothing", () => {
    const producer = prepared({ nowMs: () => NOW_MS });
    const { delta, rejected } = producer.execute([candidate(0n, { signature: [1n, 2n] })]);
    expect([delta, rejected.length, producer.isOpen]).toEqual([undefined, 1, false]);
  });

  sharedTest("takes timestamp and prices when the first transaction is included", () => {
    let nowMs = NOW_MS;
    let priceWei = 7n;
    const producer = prepared({ nowMs: () => nowMs }, () => priceWei);
    const wrong = candidate(0n, { signature: [1n, 2n] });
    producer.execute([wrong]);
    nowMs += 43_000;
    priceWei = 9n;
    // Every clock read takes a second: the earlier rejected one has no influence either.
    const ticking = { nowMs: () => (nowMs += 1_000) };
    const late = prepared(ticking, () => priceWei);
    const { delta } = late.execute([wrong, candidate(0n)]);
    const expected = Math.floor(NOW_MS / 1000) + 43 + 2;
    expect([delta?.info?.timestamp, delta?.info?.gasPrices.l1Gas.wei]).toEqual([expected, 9n]);
    const again = producer.execute([candidate(0n)]);
    expect(again.delta?.info?.timestamp).toBe(expected);
    expect(producer.seal().draft.info.timestamp).toBe(expected);
  });

  sharedTest("puts block info and changes into the first delta of a block", () => {
    const producer = prepared({ nowMs: () => NOW_MS });
    const first = producer.execute([candidate(0n)]).delta;
    const second = producer.execute([candidate(1n)]).delta;
    expect([first?.sequence, first?.info?.number, first?.transactions.length]).toEqual([0, 11, 1]);
    // The hash of block 1, which the block stores before its first transaction.
    expect(first?.diff.storageDiffs.get(1n)?.get(1n)).toBe(1001n);
    expect([second?.sequence, second?.info, second?.transactions.length]).toEqual([1, null, 1]);
  });

  sharedTest("does not open a block again that the clock opened", () => {
    let nowMs = NOW_MS;
    const producer = new BlockProducer(machine, settings(), {
      ...source,
      clock: { nowMs: () => nowMs },
    });
    producer.open(5, PARENT, transferState());
    nowMs += 5_000;
    const { delta } = producer.execute([candidate(0n)]);
    expect([delta?.sequence, delta?.info]).toEqual([1, null]);
    expect(producer.seal().draft.info.timestamp).toBe(Math.floor(NOW_MS / 1000));
  });

  sharedTest("never lets time run backwards", () => {
    const producer = prepared({ nowMs: () => 1_000 });
    const { delta } = producer.execute([candidate(0n)]);
    expect(delta?.info?.timestamp).toBe(PARENT.timestamp);
  });
});

describe("a block with a changed time", () => {
  const timed = () => {
    let nowMs = NOW_MS;
    const producer = new BlockProducer(machine, settings(), {
      ...source,
      clock: { nowMs: () => nowMs },
    });
    const at = (seconds: number): void => void (nowMs = NOW_MS + seconds * 1000);
    return { producer, at };
  };

  sharedTest("keeps all its contents, as if it had been opened then", () => {
    const { producer, at } = timed();
    expect(producer.retime()).toBe("none");
    producer.open(5, PARENT, transferState());
    producer.execute([candidate(0n), candidate(1n)]);
    const write = { ...NO_CHANGE, storage: [{ contractAddress: 0x99n, key: 1n, value: 2n }] };
    producer.changeState(() => write);
    expect(producer.retime()).toBe("kept");
    at(60);
    const delta = producer.retime();
    const fresh = timed();
    fresh.at(60);
    const opening = fresh.producer.open(5, PARENT, transferState());
    const { delta: all } = fresh.producer.execute([candidate(0n), candidate(1n)]);
    fresh.producer.changeState(() => write);
    expect(delta).toMatchObject({
      sequence: 3,
      info: opening.info,
      transactions: all?.transactions,
      receipts: all?.receipts,
    });
    expect(producer.seal().draft).toEqual(fresh.producer.seal().draft);
  });

  sharedTest("is unchanged if not everything would be included again", () => {
    const { producer, at } = timed();
    const state = transferState();
    producer.open(5, PARENT, state);
    const { delta } = producer.execute([candidate(0n)]);
    const [hash] = producer.transactionHashes();
    // The new time rejects no transfer, unless others changed the state.
    state.store(STRK, balanceKey(SENDER), 0n);
    at(60);
    expect(producer.retime()).toBe("impossible");
    expect(producer.transactionHashes()).toEqual([hash ?? 0n]);
    expect(producer.seal().draft.receipts).toEqual([...(delta?.receipts ?? [])]);
  });
});
