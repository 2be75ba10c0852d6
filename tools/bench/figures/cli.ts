/** The `npm run figures` command. */
import { writeFigures } from "./render.js";

writeFigures();
