import type { AnswerPattern, CommandAnswers, LaneTable } from "../../runtime/lanes/lane-table.js";

// Packages carry lanes as the model has them, with the answers of all commands.
export type { AnswerPattern, CommandAnswers };

/** Lanes in which answers keep the order of their commands, where messages have no ids. */
export type Lanes = Omit<LaneTable, "commands">;
