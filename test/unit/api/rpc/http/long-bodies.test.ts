import { describe, expect, test } from "bun:test";
import { SHORT_BODY_BYTES } from "#api/rpc/http/body-reservation.ts";
import { BODY_CHECK_MS, BodyBudget } from "#api/rpc/http/body-budget.ts";
import { type HttpReply, type HttpRequest, textReply } from "#api/rpc/http/message.ts";
import { httpConnection, httpService, statuses } from "#test/helpers/http-connection.ts";
import { roomyBytes } from "#test/helpers/held-bytes.ts";

const LENGTH = 2 * SHORT_BODY_BYTES;

/** Connections that share a budget of two bodies of {@link LENGTH}. */
function connections() {
  const budget = new BodyBudget(2 * LENGTH, roomyBytes());
  const requests: HttpRequest[] = [];
  const timeouts = { headersMs: 1e6, requestMs: 1e6, idleMs: 1e6, answerMs: 1e6 };
  const service = httpService(
    async (request) => {
      requests.push(request);
      await request.readBody(1e9);
      return textReply("read", 200);
    },
    { budget, timeouts },
  );
  const open = () => {
    const peer = httpConnection(service.handler, { service });
    const announce = (length = LENGTH) =>
      peer.send(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n`);
    return { ...peer, calls: peer.socket.calls, announce };
  };
  /** Fills the budget: one body continues beyond it, the next one waits. */
  const fill = () => {
    const [first, second, third] = [open(), open(), open()];
    for (const peer of [first, second, third]) peer.announce(2 * LENGTH);
    for (const peer of [first, second, third]) peer.send("x".repeat(LENGTH));
    expect([first, second, third].map(({ calls }) => calls)).toEqual([[], [], ["pause"]]);
    return [first, second, third] as const;
  };
  return { open, fill, requests, budget };
}

describe("connection with a long body", () => {
  test("pauses its socket while the budget is spent, then resumes", async () => {
    const { fill } = connections();
    const [, second, third] = fill();
    second.send("x".repeat(LENGTH));
    await Bun.sleep(0);
    expect(second.socket.text).toContain("read");
    expect(third.calls).toEqual(["pause", "resume"]);
  });

  test("releases its reservation when the body is consumed, before the response", () => {
    const { fill, requests } = connections();
    const [, , third] = fill();
    requests[1]?.release?.();
    expect(third.calls).toEqual(["pause", "resume"]);
  });

  test("can be displaced in either state, and is terminated if it was paused", () => {
    const { fill } = connections();
    const [first, , third] = fill();
    first.connection.yieldSlot();
    expect(first.calls).toEqual(["end"]);
    third.connection.yieldSlot();
    expect(third.calls).toEqual(["pause", "terminate"]);
  });

  test("releases its reservation when it closes, whether granted or waiting", () => {
    const { open, fill, budget } = connections();
    const [first, second, third] = fill();
    const fourth = open();
    fourth.announce(2 * LENGTH);
    expect(fourth.calls).toEqual(["pause"]);
    third.connection.closed();
    second.connection.closed();
    expect(fourth.calls).toEqual(["pause", "resume"]);
    first.connection.closed();
    fourth.connection.closed();
    expect([budget.size, budget.usedBytes]).toEqual([0, 0]);
  });

  test("counts its body until the handler finishes, even after the client has disconnected", async () => {
    const budget = new BodyBudget(2 * LENGTH, roomyBytes());
    const { promise: answered, resolve: answer } = Promise.withResolvers<HttpReply>();
    const handler = (request: HttpRequest): Promise<HttpReply> => {
      void request.readBody(1e9);
      return answered;
    };
    const peer = httpConnection(handler, { service: httpService(handler, { budget }) });
    peer.send(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${LENGTH}\r\n\r\n`);
    peer.send("x".repeat(LENGTH));
    peer.connection.closed();
    expect(budget.usedBytes).toBe(LENGTH);
    answer(textReply("read", 200));
    await Bun.sleep(0);
    expect([budget.size, budget.usedBytes]).toEqual([0, 0]);
  });

  test("needs no reservation for a short body", () => {
    const { open, fill } = connections();
    fill();
    const short = open();
    short.announce(SHORT_BODY_BYTES);
    expect(short.calls).toEqual([]);
  });

  test("needs a reservation once a chunked body becomes long", () => {
    const { open, fill } = connections();
    fill();
    const chunked = open();
    chunked.send("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
    const chunk = `${(40_000).toString(16)}\r\n${"x".repeat(40_000)}\r\n`;
    chunked.send(chunk);
    expect(chunked.calls).toEqual([]);
    chunked.send(chunk);
    expect(chunked.calls).toEqual(["pause"]);
  });

  test("with a trickling body gets 408 only while others wait", async () => {
    const { open, fill, budget } = connections();
    const [first, second, third] = fill();
    const check = (from: number, to: number) => {
      for (let ms = from; ms < to; ms += BODY_CHECK_MS) budget.check(ms);
    };
    third.connection.closed();
    check(0, 60_000);
    expect(first.socket.text + second.socket.text).toEqual("");
    const fourth = open();
    fourth.announce();
    check(60_000, 60_200);
    expect(first.socket.text + second.socket.text).toEqual("");
    check(60_200, 60_600);
    await Bun.sleep(0);
    expect(statuses(first.socket.text + second.socket.text)).toEqual(["408"]);
    expect(fourth.calls).toEqual(["pause", "resume"]);
  });

  test("with a long body behind a pending request gets 408 in turn while others wait", async () => {
    const { open, budget } = connections();
    const answers: ((reply: HttpReply) => void)[] = [];
    const service = httpService(() => new Promise<HttpReply>((resolve) => answers.push(resolve)), {
      budget,
      timeouts: { headersMs: 1e6, requestMs: 1e6, idleMs: 1e6, answerMs: 1e6 },
    });
    const hostile = httpConnection(service.handler, { service });
    hostile.send("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    const length = 3 * LENGTH;
    const body = "x".repeat(length);
    hostile.send(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n${body}`);
    expect(hostile.socket.calls).toEqual(["pause"]);
    for (let ms = 0; ms < 3_000; ms += BODY_CHECK_MS) budget.check(ms);
    const [first, second] = [open(), open()];
    for (const peer of [first, second]) peer.announce();
    expect([first, second].map(({ calls }) => calls)).toEqual([[], ["pause"]]);
    for (let ms = 3_000; ms < 3_500; ms += BODY_CHECK_MS) budget.check(ms);
    expect(second.calls).toEqual(["pause", "resume"]);
    answers[0]?.(textReply("late", 200));
    await Bun.sleep(0);
    expect(statuses(hostile.socket.text)).toEqual(["200", "408"]);
  });
});
