import { describe, expect, test } from "bun:test";
import { ConnectionSlots, type ConnectionSlot } from "#api/rpc/http/connection-slots.ts";
import { textReply } from "#api/rpc/http/message.ts";
import type { HttpSocket } from "#api/rpc/http/output.ts";
import { httpService } from "#test/helpers/http-connection.ts";

/** Maximum connections that are being rejected at a time. */
const MAX_REJECTING = 64;

/** Socket that accepts `takes` bytes of each write and records its calls. */
function socketOf(takes = Infinity, remoteAddress = "203.0.113.7") {
  const done: string[] = [];
  const socket: HttpSocket = {
    remoteAddress,
    write(bytes) {
      done.push("write");
      return Math.min(takes, bytes.length);
    },
    end: () => void done.push("end"),
    shutdown: () => void done.push("shutdown"),
    terminate: () => void done.push("terminate"),
    pause: () => void done.push("pause"),
    resume: () => void done.push("resume"),
  };
  return { socket, done };
}

function takenSlots(): ConnectionSlots {
  const slots = new ConnectionSlots(
    { max: 1, maxPerAddress: Infinity },
    httpService(() => new Promise(() => undefined)),
  );
  // Its request is in progress, so it is never displaced.
  slots
    .take(socketOf().socket)
    ?.connection.receive(Buffer.from("GET / HTTP/1.1\r\nhost: a\r\n\r\n"));
  return slots;
}

describe("connection without a slot", () => {
  test("is rejected and may linger for a moment", () => {
    const { socket, done } = socketOf();
    const slot = takenSlots().take(socket);
    expect(done).toEqual(["write", "shutdown"]);
    slot?.connection.receive(new Uint8Array(9));
    slot?.connection.checkTimes(performance.now() + 900);
    expect(done).toEqual(["write", "shutdown"]);
    slot?.connection.checkTimes(performance.now() + 1_100);
    expect(done.at(-1)).toBe("terminate");
  });

  test("is terminated if it does not read the rejection", () => {
    const { socket, done } = socketOf(5);
    const slot = takenSlots().take(socket);
    expect(done).not.toContain("shutdown");
    slot?.connection.checkTimes(performance.now() + 1_100);
    expect(done.at(-1)).toBe("terminate");
  });

  test("is terminated immediately when the node stops", () => {
    const { socket, done } = socketOf();
    takenSlots().take(socket)?.connection.endIfIdle();
    expect(done.at(-1)).toBe("terminate");
  });

  test("is dropped without a rejection while the maximum of rejections is in progress", () => {
    const slots = takenSlots();
    const rejecting: (ConnectionSlot | undefined)[] = [];
    for (let i = 0; i < MAX_REJECTING; i++) rejecting.push(slots.take(socketOf().socket));
    expect(rejecting).not.toContain(undefined);
    const { socket, done } = socketOf();
    expect([slots.take(socket), done]).toEqual([undefined, []]);
    rejecting[0]?.release();
    expect(slots.take(socket)).toBeDefined();
    expect(slots.take(socket)).toBeUndefined();
  });
});

describe("connection slots when all are taken", () => {
  const GET = Buffer.from("GET / HTTP/1.1\r\nhost: a\r\n\r\n");

  /** World of `max` slots, where each connection is served before the next one arrives. */
  function world(max: number) {
    const service = httpService(async (request) => {
      if (request.url === "/held") return new Promise(() => undefined);
      if (request.url === "/read") await request.readBody(1e6);
      return textReply("", 200);
    });
    const slots = new ConnectionSlots({ max, maxPerAddress: Infinity }, service);
    const enter = (bytes?: string, address?: string) => {
      const { socket, done } = socketOf(Infinity, address);
      const slot = slots.take(socket);
      if (bytes !== undefined) slot?.connection.receive(Buffer.from(bytes));
      return { slot, done };
    };
    return { service, enter };
  }

  test("displace idle connections, the longest idle first", async () => {
    const { enter } = world(3);
    const [first, second, held] = [
      enter(),
      enter("GET / HT"),
      enter("GET /held HTTP/1.1\r\nhost: a\r\n\r\n"),
    ];
    // All of them are new.
    expect(enter().done).toEqual(["write", "shutdown"]);
    await Bun.sleep(150);
    enter(GET.toString());
    expect([first.done, second.done, held.done]).toEqual([["end"], [], []]);
    await Bun.sleep(30);
    enter(GET.toString());
    await Bun.sleep(0);
    expect([second.done, held.done]).toEqual([["end"], []]);
    // A client with a recent response may be sending its next request.
    expect(enter().done).toEqual(["write", "shutdown"]);
    // The slot was already taken over: closing this socket must not free it twice.
    first.slot?.release();
    expect(enter().done).toEqual(["write", "shutdown"]);
  });

  test("keep a client that sends its body fast enough, and displace one that trickles", async () => {
    const { enter } = world(2);
    const head = "POST /read HTTP/1.1\r\nhost: a\r\ncontent-length: 60000\r\n\r\n";
    const [fast, slow] = [enter(head), enter(head)];
    await Bun.sleep(1_200);
    fast.slot?.connection.receive(Buffer.alloc(30_000));
    slow.slot?.connection.receive(Buffer.alloc(10));
    enter();
    expect([fast.done, slow.done]).toEqual([[], ["end"]]);
  });

  test("keep a new client of another address while a flood opens connections", async () => {
    const { enter } = world(4);
    const [flood, other] = ["203.0.113.1", "203.0.113.2"];
    const HELD = "GET /held HTTP/1.1\r\nhost: a\r\n\r\n";
    for (let i = 0; i < 3; i++) enter(HELD, flood);
    const client = enter(undefined, other);
    await Bun.sleep(150);
    expect(enter(HELD, flood).done).toEqual(["write", "shutdown"]);
    expect(client.done).toEqual([]);
    // It gives way to an address that has none.
    enter(HELD, "203.0.113.3");
    expect(client.done).toEqual(["end"]);
  });

  test("serve one request per connection when nearly all are taken", async () => {
    const { enter, service } = world(16);
    const peers = Array.from({ length: 14 }, () => enter());
    expect(service.isCrowded).toBe(false);
    const last = enter(GET.toString());
    await Bun.sleep(0);
    expect([service.isCrowded, last.done]).toEqual([true, ["write", "shutdown"]]);
    peers[0]?.slot?.release();
    expect(service.isCrowded).toBe(false);
  });
});

describe("connection slots when all connections have a request in progress", () => {
  const HELD = "GET /held HTTP/1.1\r\nhost: a\r\n\r\n";

  function world() {
    const service = httpService(() => new Promise(() => undefined));
    const slots = new ConnectionSlots({ max: 4, maxPerAddress: Infinity }, service);
    return (address: string) => {
      const { socket, done } = socketOf(Infinity, address);
      const slot = slots.take(socket);
      slot?.connection.receive(Buffer.from(HELD));
      return done;
    };
  }

  test("displace the newest connection of the busiest address for another address", () => {
    const enter = world();
    const flood = Array.from({ length: 4 }, () => enter("203.0.113.1"));
    expect(enter("203.0.113.2")).toEqual([]);
    expect(flood).toEqual([[], [], [], ["end"]]);
  });

  test("never displace for the same address, nor an address with half as many", () => {
    const enter = world();
    const flood = Array.from({ length: 3 }, () => enter("203.0.113.1"));
    const other = [enter("203.0.113.2"), enter("203.0.113.2")];
    expect(flood.at(-1)).toEqual(["end"]);
    expect(other).toEqual([[], []]);
    for (const address of ["203.0.113.1", "203.0.113.2"]) {
      expect(enter(address)).toEqual(["write", "shutdown"]);
    }
  });
});
