import { describe, expect, test } from "bun:test";
import { atTurnEnd, type Batch, batchedPort } from "#app/node/threads/batched-port.ts";
import { fakePort } from "#test/helpers/fake-port.ts";

function world() {
  const wire = fakePort<Batch<string>, Batch<number>>();
  const ends: (() => void)[] = [];
  const port = batchedPort<string, number>(wire, (end) => void ends.push(end));
  return { wire, port, endTurn: () => ends.splice(0).forEach((end) => end()) };
}

describe("a batched port", () => {
  test("sends the messages of one turn together, in order, with all their buffers", () => {
    const { wire, port, endTurn } = world();
    port.send(1, [new ArrayBuffer(1)]);
    port.send(2);
    port.send(3, [new ArrayBuffer(1), new ArrayBuffer(1)]);
    expect(wire.sent).toEqual([]);
    endTurn();
    expect(wire.sent).toEqual([{ kind: "batch", messages: [1, 2, 3] }]);
    expect(wire.moved).toEqual([3]);
  });

  test("starts a new batch each turn, and sends no empty batch", () => {
    const { wire, port, endTurn } = world();
    port.send(1);
    endTurn();
    endTurn();
    port.send(2);
    endTurn();
    expect(wire.sent.map(({ messages }) => messages)).toEqual([[1], [2]]);
    expect(wire.moved).toEqual([0, 0]);
  });

  test("delivers batched messages one by one", () => {
    const { wire, port } = world();
    const heard: string[] = [];
    port.listen((message) => void heard.push(message));
    wire.tell({ kind: "batch", messages: ["a", "b"] });
    wire.tell({ kind: "batch", messages: ["c"] });
    expect(heard).toEqual(["a", "b", "c"]);
  });

  test("sends at the end of the turn without a further trigger", async () => {
    const wire = fakePort<Batch<string>, Batch<number>>();
    const port = batchedPort<string, number>(wire, atTurnEnd);
    port.send(1);
    await Promise.resolve();
    port.send(2);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(wire.sent).toEqual([{ kind: "batch", messages: [1, 2] }]);
  });
});
