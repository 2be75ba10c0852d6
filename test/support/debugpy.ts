import { spawnSync } from "node:child_process";

/** The Python that has debugpy; undefined if none has. */
export const python = ["python3", "/usr/bin/python3"].find(
  (each) => spawnSync(each, ["-c", "import debugpy"]).status === 0,
);

/** The reason for skipping tests that need debugpy, or false if it is installed. */
export const skipWithoutDebugpy = python === undefined ? "needs Python with debugpy" : false;
