import type { Page } from "./page.ts";
import { adminPage } from "./pages/admin.ts";
import { architecturePage } from "./pages/architecture.ts";
import { benchmarksPage } from "./pages/benchmarks.ts";
import { configurationPage } from "./pages/configuration.ts";
import { conformancePage } from "./pages/conformance.ts";
import { differencesPage } from "./pages/differences.ts";
import { gasTimesPage } from "./pages/gas-times.ts";
import { metricsPage } from "./pages/metrics.ts";
import { optionsPage } from "./pages/options.ts";
import { rpcPage } from "./pages/rpc.ts";

/** Every generated page of `docs/`. */
export const PAGES: readonly Page[] = [
  adminPage,
  architecturePage,
  benchmarksPage,
  configurationPage,
  conformancePage,
  differencesPage,
  gasTimesPage,
  metricsPage,
  optionsPage,
  rpcPage,
];
