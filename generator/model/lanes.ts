import type { AnswerPattern, CommandAnswers, LaneTable } from "../../runtime/lanes/lane-table.js";

// The model and the packages use the same form to describe how commands are answered.
export type { AnswerPattern, CommandAnswers };

/**
 * The lanes of a protocol whose messages have no ids. Within a lane, answers arrive in the order of
 * the commands.
 */
export type Lanes = Omit<LaneTable, "commands">;
