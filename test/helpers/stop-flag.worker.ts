import { busyMilliseconds } from "./stop-flag.ts";

declare const self: Worker;

interface Order {
  readonly flag: Int32Array;
  readonly time: Float64Array;
  readonly delayMs: number;
}

/** Responds immediately, and sets the flag later; the time is that of the system's clock. */
self.onmessage = ({ data: { flag, time, delayMs } }: MessageEvent<Order>) => {
  setTimeout(() => {
    time[0] = Date.now();
    time[1] = busyMilliseconds();
    Atomics.store(flag, 0, 1);
  }, delayMs);
  self.postMessage("armed");
};
