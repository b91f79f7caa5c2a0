// Written by scripts/constants: every version file beside this one, oldest first.
import type { VersionFile } from "../version-file.ts";
import v0_0_0 from "./0.0.0.json";
import v0_11_1 from "./0.11.1.json";
import v0_13_0 from "./0.13.0.json";
import v0_13_1 from "./0.13.1.json";
import v0_13_1_1 from "./0.13.1.1.json";
import v0_13_2 from "./0.13.2.json";
import v0_13_2_1 from "./0.13.2.1.json";
import v0_13_3 from "./0.13.3.json";
import v0_13_4 from "./0.13.4.json";
import v0_13_5 from "./0.13.5.json";
import v0_13_6 from "./0.13.6.json";
import v0_14_0 from "./0.14.0.json";
import v0_14_1 from "./0.14.1.json";
import v0_14_2 from "./0.14.2.json";
import v0_14_3 from "./0.14.3.json";
import v0_14_4 from "./0.14.4.json";

/** What every protocol version changes, oldest first. */
export const VERSION_FILES: readonly VersionFile[] = [
  v0_0_0,
  v0_11_1,
  v0_13_0,
  v0_13_1,
  v0_13_1_1,
  v0_13_2,
  v0_13_2_1,
  v0_13_3,
  v0_13_4,
  v0_13_5,
  v0_13_6,
  v0_14_0,
  v0_14_1,
  v0_14_2,
  v0_14_3,
  v0_14_4,
];
