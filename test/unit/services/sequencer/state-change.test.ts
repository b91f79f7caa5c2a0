import { describe, expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { BlockExecutor } from "#engine/execution/index.ts";
import { CachedState } from "#engine/state/index.ts";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import {
  applyChange,
  type ChangeRefusal,
  changeRefusal,
  changeSize,
  NO_CHANGE,
  type StateChange,
} from "#services/sequencer/state-change.ts";
import { InitialState } from "#test/helpers/scenario/initial-state.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { STRK, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

const NEW = 0xdeadn;
const UNKNOWN = 0xbadn;

describe("a change of the state", () => {
  sharedTest("is in the state diff with all its values", () => {
    const base = transferState();
    const state = new CachedState(base);
    const classHash = base.classHashAt(STRK);
    const [other = 0n] = [...base.classes.keys()].filter((hash) => hash !== classHash);
    const change: StateChange = {
      ...NO_CHANGE,
      deployed: [{ contractAddress: NEW, classHash }],
      replaced: [{ contractAddress: STRK, classHash: other }],
      storage: [{ contractAddress: NEW, key: 1n, value: 2n }],
      nonces: [{ contractAddress: NEW, nonce: 7n }],
      onlyDeployed: true,
    };
    expect(changeRefusal(state, change)).toBeUndefined();
    expect(applyChange(state, change)).toEqual([]);
    expect(state.diffSince(0)).toEqual({
      ...EMPTY_STATE_DIFF,
      deployedContracts: new Map([[NEW, classHash]]),
      replacedClasses: new Map([[STRK, other]]),
      storageDiffs: new Map([[NEW, new Map([[1n, 2n]])]]),
      nonces: new Map([[NEW, 7n]]),
    });
    expect(changeSize(change)).toBe(4);
  });

  test("sets nonces absolutely, to lower ones as well", () => {
    const base = new InitialState();
    base.classHashes.set(NEW, 1n);
    base.nonces.set(NEW, 9n);
    const state = new CachedState(base);
    const change = { ...NO_CHANGE, nonces: [{ contractAddress: NEW, nonce: 0n }] };
    expect(changeRefusal(state, change)).toBeUndefined();
    applyChange(state, change);
    expect(state.diffSince(0).nonces).toEqual(new Map([[NEW, 0n]]));
  });

  sharedTest("is refused with the first wrong value", () => {
    const state = transferState();
    const classHash = state.classHashAt(STRK);
    const refused = (change: Partial<StateChange>): ChangeRefusal | undefined =>
      changeRefusal(state, { ...NO_CHANGE, onlyDeployed: true, ...change });
    const good = { contractAddress: STRK, key: 1n, value: 1n };
    const cases: readonly [Partial<StateChange>, Pick<ChangeRefusal, "code" | "at">][] = [
      [
        { storage: [good, { ...good, contractAddress: NEW }] },
        { code: "contract", at: ["storage", 1] },
      ],
      [{ nonces: [{ contractAddress: NEW, nonce: 1n }] }, { code: "contract", at: ["nonces", 0] }],
      [
        { replaced: [{ contractAddress: NEW, classHash }] },
        { code: "contract", at: ["replaced", 0] },
      ],
      [
        { replaced: [{ contractAddress: STRK, classHash: UNKNOWN }] },
        { code: "class", at: ["replaced", 0] },
      ],
      [
        { deployed: [{ contractAddress: STRK, classHash }] },
        { code: "value", at: ["deployed", 0] },
      ],
      [
        { deployed: [{ contractAddress: NEW, classHash: UNKNOWN }] },
        { code: "class", at: ["deployed", 0] },
      ],
      [
        { declared: [{ classHash: UNKNOWN, compiledClassHash: 1n }] },
        { code: "class", at: ["declared", 0] },
      ],
      [
        { declared: [{ classHash, compiledClassHash: UNKNOWN }] },
        { code: "value", at: ["declared", 0] },
      ],
    ];
    for (const [change, expected] of cases) expect(refused(change)).toMatchObject(expected);
  });

  test("may write the storage of an address without a contract if it says so", () => {
    const storage = [{ contractAddress: NEW, key: 1n, value: 1n }];
    expect(changeRefusal(new InitialState(), { ...NO_CHANGE, storage })).toBeUndefined();
  });

  test("leaves the state unchanged when a value of the origin is missing", () => {
    const base = new InitialState();
    base.classHashes.set(NEW, 1n);
    const lost = new OriginError("ORIGIN_UNAVAILABLE", "gone", true);
    base.storageAt = (_address, key) => {
      if (key === 2n) throw lost;
      return 0n;
    };
    const executor = new BlockExecutor(createCairoVm(), base, transferBlock());
    const storage = [1n, 2n].map((key) => ({ contractAddress: NEW, key, value: 5n }));
    const change = (): unknown =>
      executor.change((state) => applyChange(state, { ...NO_CHANGE, storage }));
    expect(change).toThrow(lost);
    expect(executor.stateDiff()).toEqual(EMPTY_STATE_DIFF);
  });
});
