import { BODY_BUDGET_BYTES, BodyBudget } from "#api/rpc/http/body-budget.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { UnsentBudget } from "#api/rpc/http/unsent-budget.ts";
import { WsConnection } from "#api/rpc/ws/transport/connection.ts";
import { Gate } from "#api/rpc/ws/transport/gate.ts";
import { LoopTurns } from "#api/rpc/ws/transport/loop-turns.ts";
import { READ_AHEAD_BYTES, ReadAhead } from "#api/rpc/ws/transport/read-ahead.ts";
import { ReadTurns } from "#api/rpc/ws/transport/read-turns.ts";
import { fakeSocket } from "./fake-socket.ts";
import { closeOf, serverFrames } from "./ws-frames.ts";
import { roomyBytes } from "./held-bytes.ts";

/** Timeouts of {@link wsConnection}. */
const TIMES = { pingMs: 30_000, pongMs: 20_000, closeMs: 5_000 };

/** A gate that blocks nothing. */
export const OPEN_GATE: Gate = Object.assign(new Gate(), { isOpen: true });

/** A WebSocket connection over a socket that accepts a number of bytes, with the calls on it. */
export function wsConnection(
  options: { takes?: number; budget?: BodyBudget; maxAll?: number; maxAhead?: number } = {},
) {
  const { takes, budget = new BodyBudget(BODY_BUDGET_BYTES, roomyBytes()), maxAll = 1e9 } = options;
  const { maxAhead = READ_AHEAD_BYTES } = options;
  const socket = fakeSocket(takes);
  const { calls } = socket;
  const heard: string[] = [];
  const releases: (() => void)[] = [];
  const observed: string[] = [];
  const total = new UnsentBudget(maxAll, roomyBytes());
  const turns = new ReadTurns({
    later: (turn) => void setImmediate(turn),
    // All turns have time left, whatever the load of the machine.
    nowMs: () => 0,
  });
  const ahead = new ReadAhead({
    maxBytes: maxAhead,
    later: (turn) => void setImmediate(turn),
    timer: SYSTEM_TIMER,
  });
  const connection = new WsConnection(
    { socket, budget, client: { address: "203.0.113.7" }, messageMs: 100_000 },
    {
      maxMessageBytes: 1_000_000,
      maxWaitingBytes: 400_000,
      gateMs: 1,
      times: TIMES,
      unsent: total,
      turns,
      ahead,
      loop: new LoopTurns((turn) => void setImmediate(turn)),
      observer: {
        opened: () => void observed.push("opened"),
        closed: (code) => void observed.push(`closed ${code}`),
        droppedSlow: () => void observed.push("dropped"),
      },
    },
  );
  connection.listen({
    message(text, release) {
      heard.push(text);
      releases.push(release);
    },
    writable: () => void heard.push("(writable)"),
    stopping: () => connection.close(1001, "the node is stopping"),
    ended: () => void heard.push("(ended)"),
  });
  const startMs = performance.now();
  return {
    connection,
    socket,
    calls,
    heard,
    /** Releases the reservations of all received messages. */
    release: () => {
      for (const release of releases) release();
    },
    observed,
    total,
    ahead,
    frames: () => serverFrames(socket.bytes).frames,
    closes: () =>
      serverFrames(socket.bytes)
        .frames.filter(({ opcode }) => opcode === 8)
        .map(closeOf),
    send: (...frames: Uint8Array[]) => connection.receive(Buffer.concat(frames)),
    later: (ms: number) => connection.checkTimes(startMs + ms),
  };
}
