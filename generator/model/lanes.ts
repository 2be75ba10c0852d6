import type { AnswerPattern, CommandAnswers, LaneTable } from "../../runtime/lanes/lane-table.js";

// Packages contain the lanes in the same form as the model, and the answers of all commands.
export type { AnswerPattern, CommandAnswers };

/**
 * Lanes of a protocol with messages that have no ids. Within a lane, answers arrive in the order of
 * the commands.
 */
export type Lanes = Omit<LaneTable, "commands">;
