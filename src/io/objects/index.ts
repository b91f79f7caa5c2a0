export { readObjectStoreUrl, storeName } from "./address.ts";
export { type ObjectStoreKeys, readObjectStoreKeys } from "./keys.ts";
export { probeStore } from "./probe.ts";
export { putOnce, type PutOnceOutcome, UNANSWERED_MS } from "./put-once.ts";
export { type Attempted, type RetryOptions, retrying, type StoreWaiting } from "./retrying.ts";
export { openObjectStore } from "./s3-store.ts";
export type {
  ListedObject,
  ObjectStore,
  ObjectStoreOptions,
  PutOutcome,
  StoredObject,
} from "./types.ts";
