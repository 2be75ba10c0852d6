import type { Target } from "../target.js";
import { connection } from "./connection.js";
import { diff } from "./diff.js";
import { encoder } from "./encoder.js";
import { framings } from "./framings.js";
import { headers } from "./headers.js";
import { lanes } from "./lanes.js";
import { notation } from "./notation.js";
import { peek } from "./peek.js";
import { readers } from "./readers.js";
import { recordings } from "./recordings.js";
import { tap } from "./tap.js";
import { schemaPairs } from "./schema-pairs.js";
import { session } from "./session.js";
import { validators } from "./validators.js";

/** All fuzz targets. */
export const targets: readonly Target[] = [
  ...framings,
  headers,
  notation,
  peek,
  encoder,
  ...validators,
  connection,
  session,
  lanes,
  recordings,
  tap,
  ...readers,
  diff,
  schemaPairs,
];
