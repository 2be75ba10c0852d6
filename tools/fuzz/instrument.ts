import { parse, type Node } from "acorn";
import { full } from "acorn-walk";
import MagicString from "magic-string";
import { globalName } from "./coverage.js";

type Nodes = Node & Record<string, Node | readonly Node[] | null | undefined>;

/** The globals that hold the counters and the work of instrumented files. */
const counters = "__fuzzCounters";
const work = "__fuzzWork";

/**
 * Adds a counter to each branch of a module, and a step counter to each function and loop
 * iteration.
 *
 * Line numbers do not change, so stack traces stay correct.
 */
export function instrument(source: string): string {
  const text = new MagicString(source);
  const literals = new Set<string>();
  const bytes = new Set<number>();
  let edges = 0;
  const pass = (): string => `${counters}[${edges++}]++`;
  const step = `++${work}.done>${work}.most&&${work}.stop()`;

  const wrap = (node: Node, probe: string): void => {
    text.prependRight(node.start, `(${probe},`);
    text.appendLeft(node.end, ")");
  };
  const enter = (body: Node, probe: string): void => {
    if (body.type === "BlockStatement") text.appendLeft(body.start + 1, `${probe};`);
    else {
      text.prependRight(body.start, `{${probe};`);
      text.appendLeft(body.end, "}");
    }
  };

  // `full` visits inner nodes before outer nodes.
  full(parse(source, { ecmaVersion: "latest", sourceType: "module" }), (visited) => {
    const node = visited as Nodes;
    const child = (name: string): Node => node[name] as Node;
    switch (node.type) {
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression": {
        const probe = `${pass()},${step}`;
        if (child("body").type === "BlockStatement") enter(child("body"), probe);
        else wrap(child("body"), probe);
        return;
      }
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
      case "WhileStatement":
      case "DoWhileStatement":
        enter(child("body"), `${pass()},${step}`);
        return;
      case "IfStatement":
        enter(child("consequent"), pass());
        if (node["alternate"]) enter(child("alternate"), pass());
        else text.appendLeft(child("consequent").end, ` else ${pass()};`);
        return;
      case "ConditionalExpression":
        wrap(child("consequent"), pass());
        wrap(child("alternate"), pass());
        return;
      case "LogicalExpression":
      case "AssignmentPattern":
        wrap(child("right"), pass());
        return;
      case "AssignmentExpression":
        if (/^(\|\||&&|\?\?)=$/.test(String(node["operator"]))) wrap(child("right"), pass());
        return;
      case "SwitchCase": {
        const [first] = node["consequent"] as readonly Node[];
        if (first !== undefined) text.prependRight(first.start, `${pass()};`);
        return;
      }
      case "CatchClause":
        enter(child("body"), pass());
        return;
      case "Literal": {
        const { value } = visited as { value?: unknown };
        if (typeof value === "string" && /^(?!\.\.?\/|node:).{2,40}$/s.test(value))
          literals.add(value);
        else if (typeof value === "number" && value > 255) literals.add(String(value));
        else if (typeof value === "number" && Number.isInteger(value)) bytes.add(value);
        return;
      }
    }
  });
  const opened = `globalThis.${globalName}.open(${edges},${JSON.stringify([...literals])},${JSON.stringify([...bytes])})`;
  const head = `const{counters:${counters},work:${work}}=${opened};`;
  const start = source.startsWith("#!") ? source.indexOf("\n") + 1 : 0;
  if (start === 0) text.prepend(head);
  else text.appendLeft(start, head);
  return text.toString();
}
