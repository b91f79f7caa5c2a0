import { BODY_LENGTH_VECTORS } from "./body-length.ts";
import { CHUNK_VECTORS } from "./chunks.ts";
import { HEAD_VECTORS } from "./heads.ts";
import type { RequestVector } from "./vector.ts";

export type { RequestVector } from "./vector.ts";

/** Hostile requests, and a few valid ones. */
export const REQUEST_VECTORS: readonly RequestVector[] = [
  ...BODY_LENGTH_VECTORS,
  ...CHUNK_VECTORS,
  ...HEAD_VECTORS,
];
