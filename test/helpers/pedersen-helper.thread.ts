import { runPedersenHelper } from "#protocol/crypto/index.ts";

declare const self: {
  postMessage(message: string): void;
  onmessage: ((event: MessageEvent<SharedArrayBuffer>) => void) | null;
};

self.onmessage = ({ data }) => {
  self.postMessage("helps");
  runPedersenHelper(data);
  self.postMessage("done");
};
