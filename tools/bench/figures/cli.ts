/** The command behind `npm run figures`. */
import { writeFigures } from "./render.js";

writeFigures();
