import { describe, expect, test } from "bun:test";
import { connect } from "#app/node/compiler/connection.ts";
import { frameOf } from "#app/node/compiler/frames.ts";

/** A child whose output the test writes. */
function child(write: (bytes: Uint8Array) => unknown = () => undefined) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const kills: string[] = [];
  const killed = Promise.withResolvers<void>();
  const kill = (signal: "SIGKILL"): void => {
    kills.push(signal);
    killed.resolve();
    void writer.close().catch(() => undefined);
  };
  const written: Uint8Array[] = [];
  const stdin = {
    write(bytes: Uint8Array) {
      written.push(bytes);
      return write(bytes);
    },
    flush: () => undefined,
  };
  const says = (bytes: Uint8Array): void => void writer.write(bytes).catch(() => undefined);
  return { stdin, stdout: readable, kill, kills, killed: killed.promise, written, says, writer };
}

const HELLO = Uint8Array.of(1, 2, 3);

describe("a connection to a compiler process", () => {
  test("resolves a request with its response", async () => {
    const process = child();
    const connection = connect(process);
    const answer = connection.request(HELLO);
    process.says(frameOf(Uint8Array.of(9)));
    expect(await answer).toEqual(Uint8Array.of(9));
    expect(process.written).toEqual([frameOf(HELLO)]);
    expect(process.kills).toEqual([]);
  });

  test("resolves with nothing if the process ends early, and from then on", async () => {
    const process = child();
    const connection = connect(process);
    const answer = connection.request(HELLO);
    process.says(frameOf(HELLO).subarray(0, 5));
    void process.writer.close();
    expect(await answer).toBeUndefined();
    expect(await connection.request(HELLO)).toBeUndefined();
    await connection.ended;
  });

  test("kills a process that announces a huge response", async () => {
    const process = child();
    const answer = connect(process).request(HELLO);
    process.says(Uint8Array.of(255, 255, 255, 255, 0));
    expect(await answer).toBeUndefined();
    expect(process.kills).toEqual(["SIGKILL"]);
  });

  test("kills a process that sends an unsolicited message", async () => {
    const process = child();
    const connection = connect(process);
    process.says(frameOf(HELLO));
    await process.killed;
    await connection.ended;
    expect(process.kills).toEqual(["SIGKILL"]);
  });

  test("kills a process that does not accept the request", async () => {
    const process = child(() => Promise.reject(new RangeError("broken pipe")));
    expect(await connect(process).request(HELLO)).toBeUndefined();
    expect(process.kills).toEqual(["SIGKILL"]);
  });
});
