import { describe, expect, test } from "bun:test";
import { RelayPort } from "#app/node/threads/relay-port.ts";

/** The remote end of a relay. */
function otherEnd() {
  const sent: unknown[] = [];
  let hear: (message: string) => void = () => undefined;
  return {
    sent,
    tell: (message: string) => hear(message),
    port: {
      send: (message: number, transfer?: ArrayBuffer[]) =>
        void sent.push(transfer === undefined ? message : [message, transfer.length]),
      listen: (handler: (message: string) => void) => void (hear = handler),
    },
  };
}

describe("a relay port", () => {
  test("queues messages until connected, in order", () => {
    const relay = new RelayPort<string, number>();
    relay.send(1);
    relay.send(2, [new ArrayBuffer(1)]);
    const end = otherEnd();
    relay.connect(end.port);
    relay.send(3);
    expect(end.sent).toEqual([1, [2, 1], 3]);
  });

  test("queues received messages until there is a listener", () => {
    const relay = new RelayPort<string, number>();
    const end = otherEnd();
    relay.connect(end.port);
    end.tell("early");
    const heard: string[] = [];
    relay.listen((message) => void heard.push(message));
    end.tell("late");
    expect(heard).toEqual(["early", "late"]);
  });

  test("receives only from the connected end, not from an old one", () => {
    const relay = new RelayPort<string, number>();
    const heard: string[] = [];
    relay.listen((message) => void heard.push(message));
    const [old, next] = [otherEnd(), otherEnd()];
    relay.connect(old.port);
    relay.disconnect();
    old.tell("from the dead");
    relay.send(1);
    relay.connect(next.port);
    old.tell("from the dead");
    next.tell("alive");
    expect(heard).toEqual(["alive"]);
    expect([old.sent, next.sent]).toEqual([[], [1]]);
  });
});
