/** Preloaded into processes that a test starts, to record which code they reach. */
import { recordCoverage } from "./coverage-recorder.js";

recordCoverage();
