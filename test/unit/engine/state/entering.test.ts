import { expect, test } from "bun:test";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import {
  CachedState,
  type EnteredCall,
  OverlayState,
  PendingOverlay,
  RecentState,
  RecordingReader,
  type StateReader,
} from "#engine/state/index.ts";
import { ForkedState } from "#engine/state/forked-state.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { delta } from "#test/helpers/pending-deltas.ts";

const CALL: EnteredCall = {
  depth: 1,
  classHash: 1n,
  selector: 2n,
  contractAddress: 3n,
  callerAddress: 4n,
  calldata: [],
};

const unwritten = {
  storageAt: () => undefined,
  nonceAt: () => undefined,
  classHashAt: () => undefined,
  compiledClassHashOf: () => undefined,
  executableClass: () => undefined,
};

const pendingState = (below: StateReader): StateReader => {
  const overlay = new PendingOverlay(numberedChain(4, () => below));
  overlay.apply(delta(5, 0, []));
  return overlay.state();
};

test.each<[string, (below: StateReader) => StateReader]>([
  ["a cached state", (below) => new CachedState(below)],
  ["an overlay", (below) => new OverlayState(below, EMPTY_STATE_DIFF)],
  ["a recording reader", (below) => new RecordingReader(below)],
  ["a forked state", (below) => new ForkedState(unwritten, below)],
  ["the newest state", (below) => new RecentState({ stateAt: () => below }, 4).newest()],
  ["a pending block", pendingState],
])("%s says to the state below which entry point runs", (_, above) => {
  const entered: EnteredCall[] = [];
  const below: StateReader = {
    storageAt: () => 0n,
    nonceAt: () => 0n,
    classHashAt: () => 0n,
    compiledClassHashOf: () => 0n,
    executableClass: () => undefined,
    entering: (call) => void entered.push(call),
  };
  above(below).entering?.(CALL);
  expect(entered).toEqual([CALL]);
});
