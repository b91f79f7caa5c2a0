import { describe, expect, test } from "bun:test";
import { smallCall } from "#io/origin/remote/calls.ts";
import {
  echo,
  echoes,
  echoServer,
  failureOf,
  numbers,
  poolOf,
  stopServersAfterEach,
  taskOf,
} from "#test/helpers/origin-pool.ts";

stopServersAfterEach();

describe("OriginPool calls that name a URL", () => {
  const bound = (server: { readonly name: string }, value: number) => ({
    ...smallCall("echo", { value }),
    only: server.name,
  });

  test("are sent to this URL alone, with calls of any in its batches", async () => {
    const [first, second] = [echoServer(), echoServer()];
    const { pool } = poolOf([first.url, second.url], { concurrency: 1 });
    const values = numbers(6);
    const replies = await Promise.all(
      values.map((value) => pool.call(bound(value < 3 ? first : second, value), taskOf(5000))),
    );
    expect(replies.map(({ value }) => value)).toEqual(values);
    const [atFirst, atSecond] = [first, second].map(({ requests }) =>
      requests.flatMap(({ calls }) => calls.map(({ params }) => params["value"])),
    );
    expect([atFirst, atSecond]).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
  });

  test("delay no others while it does not respond, and fail before the deadline", async () => {
    const [lost, other] = [echoServer(() => new Response("", { status: 502 })), echoServer()];
    const { pool } = poolOf([lost.url, other.url]);
    const task = taskOf(600);
    const failure = failureOf(pool.call(bound(lost, 1), task));
    expect(await echoes(pool, 5)).toEqual(numbers(5));
    expect((await failure).code).toBe("ORIGIN_UNAVAILABLE");
    expect(await echo(pool, 9)).toMatchObject({ value: 9, name: other.name });
  });
});
