import { architecturePicture } from "./picture/architecture.ts";
import { layouts } from "./layouts.ts";
import { layoutPicture } from "./picture/layout.ts";
import { threadsPicture } from "./picture/threads.ts";

/** A picture of `docs/` that is generated from the structure of the program. */
export interface Picture {
  /** Name below `docs/`. */
  readonly file: string;
  readonly svg: () => string;
}

/** Every generated picture of `docs/`. */
export const PICTURES: readonly Picture[] = [
  { file: "images/architecture.svg", svg: architecturePicture },
  { file: "images/threads.svg", svg: threadsPicture },
  ...layouts().map((layout) => ({
    file: `images/layout-by-${layout.name}.svg`,
    svg: () => layoutPicture(layout),
  })),
];
