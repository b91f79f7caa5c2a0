export { readObjectStoreUrl } from "./address.ts";
export { type ObjectStoreKeys, readObjectStoreKeys } from "./keys.ts";
export { openObjectStore } from "./s3-store.ts";
export type {
  ListedObject,
  ObjectStore,
  ObjectStoreOptions,
  PutOutcome,
  StoredObject,
} from "./types.ts";
