import type { AnswerPattern, CommandAnswers, LaneTable } from "../../runtime/lanes/lane-table.js";

// The model and packages contain the answers of commands in the same form.
export type { AnswerPattern, CommandAnswers };

/**
 * Lanes of a protocol with messages that have no ids. Within a lane, answers arrive in the order of
 * the commands.
 */
export type Lanes = Omit<LaneTable, "commands">;
