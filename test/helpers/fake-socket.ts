/**
 * Creates a socket that accepts a number of bytes before it blocks, and records the calls on it.
 */
export function fakeSocket(takes = Infinity) {
  const taken: Buffer[] = [];
  const calls: string[] = [];
  const socket = {
    /** Number of further bytes that it accepts. */
    takes,
    calls,
    get bytes() {
      return Buffer.concat(taken);
    },
    get text() {
      return socket.bytes.toString();
    },
    write(data: string | Uint8Array) {
      const bytes = Buffer.from(data as string).subarray(0, socket.takes);
      socket.takes -= bytes.length;
      taken.push(Buffer.from(bytes));
      return bytes.length;
    },
    end: () => void calls.push("end"),
    shutdown: () => void calls.push("shutdown"),
    terminate: () => void calls.push("terminate"),
    pause: () => void calls.push("pause"),
    resume: () => void calls.push("resume"),
  };
  return socket;
}
