import { expect, test } from "bun:test";
import {
  type RecordedRequest,
  RECORDER_LIMITS,
  RequestRecorder,
} from "#api/rpc/devnet/dump/recorder.ts";

const request = (parts: Partial<RecordedRequest> = {}): RecordedRequest => ({
  method: "devnet_mint",
  params: "{}",
  kind: "transaction",
  hash: 1n,
  block: 1,
  ...parts,
});

test("RequestRecorder numbers requests in order", () => {
  const recorder = new RequestRecorder({ genesis: 0, newest: 0 }, RECORDER_LIMITS);
  recorder.add(request());
  recorder.add(request({ hash: 2n }));
  expect(recorder.requests().map(({ hash, number }) => [hash, number])).toEqual([
    [1n, 0],
    [2n, 1],
  ]);
  expect(recorder.lacking).toBeNull();
});

test("RequestRecorder discards requests above its limits until it is cleared", () => {
  for (const limits of [{ maxRequests: 2 }, { maxLength: 5 }]) {
    const recorder = new RequestRecorder(
      { genesis: 0, newest: 0 },
      { ...RECORDER_LIMITS, ...limits },
    );
    for (let i = 0; i < 3; i++) recorder.add(request());
    expect(recorder.requests()).toEqual([]);
    expect(recorder.lacking).toContain("too many requests for a dump");
    recorder.add(request());
    expect(recorder.requests()).toEqual([]);
    recorder.clear();
    recorder.add(request());
    expect([recorder.requests().length, recorder.lacking]).toEqual([1, null]);
  }
});

test("RequestRecorder keeps no requests on a chain from an earlier run", () => {
  const recorder = new RequestRecorder({ genesis: 0, newest: 3 }, RECORDER_LIMITS);
  recorder.add(request());
  expect(recorder.requests()).toEqual([]);
  expect(recorder.lacking).toStartWith("blocks 1 to 3 were created in an earlier run");
});

test("RequestRecorder drops the requests that created reverted blocks", () => {
  const recorder = new RequestRecorder({ genesis: 0, newest: 0 }, RECORDER_LIMITS);
  recorder.add(request({ kind: "block", block: 2 }));
  recorder.add(request({ kind: "block", block: 3 }));
  recorder.add(request({ kind: "write", block: 3 }));
  recorder.add(request({ kind: "next", block: 5 }));
  recorder.add(request({ hash: 9n, block: 4 }));
  recorder.abort(2);
  expect(recorder.requests().map(({ kind, block }) => [kind, block])).toEqual([
    ["block", 2],
    ["next", 3],
    ["transaction", 3],
  ]);
});
