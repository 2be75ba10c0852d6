/** Preloaded into processes that a test starts. */
import { recordCoverage } from "./coverage-recorder.js";

recordCoverage();
