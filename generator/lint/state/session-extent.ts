/**
 * How much of a session is in its recording.
 *
 * - `whole`: it begins with the opening request, and both sides are there: what has not come was not sent
 * - `later`: it begins when the session has long begun: what it lacks may have been sent before
 * - `unknown`: one side is missing, or what comes first is not what opens a session
 */
export type SessionExtent = "whole" | "later" | "unknown";
