import type { AnswerPattern, CommandAnswers, LaneTable } from "../../runtime/lanes/lane-table.js";

// Packages contain lanes in the form of the model, plus the answers of all commands.
export type { AnswerPattern, CommandAnswers };

/** Lanes of a protocol whose messages have no ids: within a lane, answers arrive in the order of the commands. */
export type Lanes = Omit<LaneTable, "commands">;
