declare const self: Worker;

// Responds immediately, and sets the flag a little later.
self.onmessage = (event: MessageEvent<Int32Array>) => {
  self.postMessage("started");
  setTimeout(() => Atomics.store(event.data, 0, 1), 100);
};
