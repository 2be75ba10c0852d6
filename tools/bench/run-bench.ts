/** Runs one benchmark in this process and sends its report to the command. */
import { pathToFileURL } from "node:url";
import { fromRoot } from "../../test/support/paths.js";
import { Report, type Bench, type BenchOptions } from "./report.js";

const [name, options] = process.argv.slice(2);
const url = pathToFileURL(fromRoot(`build/tools/bench/${name}.js`)).href;
const { bench } = (await import(url)) as { bench: Bench };
const report = new Report();
await bench(report, JSON.parse(options!) as BenchOptions);
process.send!(report.printed(), () => process.exit());
