/** The command for `npm run figures`. */
import { writeFigures } from "./render.js";

writeFigures();
