/** Preloaded into processes that a test starts, to record the code that they reach. */
import { recordCoverage } from "./coverage-recorder.js";

recordCoverage();
